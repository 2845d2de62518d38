/** A worker that does one task after the other; one that takes too long is ended, and the next gets a new worker. */
export class TookTooLong extends Error {}

/** What does the work: a Worker, or what behaves as one. */
export interface WorkerLike {
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(task: unknown): void;
  terminate(): void;
}

interface Job<Task, Result> {
  task: Task;
  resolve: (result: Result) => void;
  reject: (error: Error) => void;
}

export class TimedWorker<Task, Result> {
  private worker: WorkerLike | null = null;
  private ready = false;
  private readonly waiting: Job<Task, Result>[] = [];
  private current: Job<Task, Result> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * `start` makes a worker that says "ready" once it is loaded, and then answers each message with one. While it
   * loads more, from "loading" to "ready", its time stands still.
   */
  constructor(
    private readonly start: () => WorkerLike,
    private readonly limitMs: number,
  ) {}

  /** Load the worker before there is a task. */
  warm(): void {
    this.live();
  }

  /** The result; rejects with TookTooLong, or with what the worker failed of. */
  run(task: Task): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ task, resolve, reject });
      this.next();
    });
  }

  private next(): void {
    if (this.current || this.waiting.length === 0) return;
    const worker = this.live();
    if (!this.ready) return;
    const job = this.waiting.shift();
    if (!job) return;
    this.current = job;
    this.startClock();
    worker.postMessage(job.task);
  }

  private live(): WorkerLike {
    if (this.worker) return this.worker;
    const worker = this.start();
    worker.onmessage = ({ data }: MessageEvent<Result | "loading" | "ready">) => {
      if (this.worker !== worker) return;
      if (data === "loading") return clearTimeout(this.timer);
      if (data === "ready") this.startClock();
      else this.finish((job) => job.resolve(data));
      this.ready = true;
      this.next();
    };
    worker.onerror = (event) => {
      if (this.worker !== worker) return;
      event.preventDefault();
      this.current ??= this.waiting.shift() ?? null;
      this.fail(new Error(event.message || "The worker could not be loaded."));
    };
    this.worker = worker;
    return worker;
  }

  private startClock(): void {
    clearTimeout(this.timer);
    if (this.current) this.timer = setTimeout(() => this.fail(new TookTooLong()), this.limitMs);
  }

  private fail(error: Error): void {
    this.worker?.terminate();
    this.worker = null;
    this.ready = false;
    this.finish((job) => job.reject(error));
    this.next();
  }

  private finish(settle: (job: Job<Task, Result>) => void): void {
    clearTimeout(this.timer);
    const job = this.current;
    this.current = null;
    if (job) settle(job);
  }
}
