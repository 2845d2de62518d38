/** What a category is called where the server's list does not hold it (yet): a language by its name. */
export function categoryTitle(id: string, known: readonly { id: string; title: string }[] = []): string {
  const listed = known.find((each) => each.id === id);
  if (listed) return listed.title;
  const language = /^language-(\w{2,3})$/.exec(id)?.[1];
  if (language) return new Intl.DisplayNames(["en"], { type: "language" }).of(language) ?? id;
  const words = id.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
