/** A number as people write it; null if nothing is written, NaN if it is no number. */
export function numberIn(written: string): number | null {
  const plain = written.replaceAll(/[\s,_]/g, "");
  return plain === "" ? null : Number(plain);
}
