/** Stands in for `rehype-raw`: HTML in a reply stays text, it is never parsed. */
export default function noRawHtml() {
  return () => undefined;
}
