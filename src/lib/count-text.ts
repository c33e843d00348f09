/** Returns the number with its noun, for example "1 job" or "2 jobs". */
export function countText(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
