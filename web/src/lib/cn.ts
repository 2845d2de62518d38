import { clsx } from "clsx";

/** Join class names, leaving out what is false. */
export const cn = clsx;
