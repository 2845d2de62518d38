import type { Plugin } from "vite";

export function notices(): { page: Plugin; worker: Plugin };
