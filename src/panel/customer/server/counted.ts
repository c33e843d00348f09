// Alike things, counted: two memory modules of one kind are one line.
export function counted(texts: readonly string[]): { readonly text: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => ({ text, count }));
}
