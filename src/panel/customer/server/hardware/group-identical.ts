// Merges identical texts into one line with a count, for example two memory modules of the same type.
export function groupIdentical(texts: readonly string[]): { readonly text: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => ({ text, count }));
}
