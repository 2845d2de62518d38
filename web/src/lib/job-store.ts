/** Long jobs that run while the person does something else: imports, exports, rebuilds. */
import { create } from "zustand";

export interface Job {
  id: string;
  title: string;
  /** How far it is, in words with counts. */
  detail: string;
  /** From 0 to 1; null where nobody knows. */
  done: number | null;
  /** Takes the job back; null once that is no longer possible. */
  cancel: (() => void) | null;
}

interface JobStore {
  jobs: readonly Job[];
  put: (job: Job) => void;
  end: (id: string) => void;
}

export const useJobs = create<JobStore>()((set) => ({
  jobs: [],
  put: (job) =>
    set(({ jobs }) => ({
      jobs: jobs.some(({ id }) => id === job.id)
        ? jobs.map((each) => (each.id === job.id ? job : each))
        : [...jobs, job],
    })),
  end: (id) => set(({ jobs }) => ({ jobs: jobs.filter((job) => job.id !== id) })),
}));

export const { put: putJob, end: endJob } = useJobs.getState();
