// An answer whose shape is only known when it comes: a list becomes a table, an object its members, anything else its text.
import type { Show } from './show.ts';
import { cellText } from './table.ts';

type Item = Readonly<Record<string, unknown>>;

export async function showAny(show: Show, answer: unknown): Promise<void> {
  if (Array.isArray(answer) && answer.every(isItem)) {
    const members = [...new Set(answer.flatMap((item: Item) => Object.keys(item).filter((key) => isFlat(item[key]))))];
    await show.rows<Item>(
      answer,
      members.map((member) => [member, (item) => cellText(item[member])] as const),
    );
  } else if (isItem(answer)) await show.fields(answer);
  else await show.word(cellText(answer));
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFlat(value: unknown): boolean {
  return typeof value !== 'object' || value === null || (Array.isArray(value) && !value.some(isItem));
}
