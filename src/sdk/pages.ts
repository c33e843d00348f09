// A list that comes in pages, as one sequence: the next page is asked for when the one before is used up.
import type { Call, Input } from './client.ts';
import type { CallOptions, Paging } from './settings.ts';

export async function* eachOf(
  call: Call,
  paging: Paging,
  input: Input = {},
  options: CallOptions = {},
): AsyncGenerator<unknown, void, void> {
  const limit = (input['limit'] as number | undefined) ?? paging.limit;
  let position = input[paging.parameter];
  for (;;) {
    const page = await call({ ...input, limit, [paging.parameter]: position }, options);
    const { items, next } = opened(page, paging);
    yield* items;
    if (items.length < limit) return;
    position = next;
  }
}

function opened(page: unknown, { next }: Paging): { items: readonly unknown[]; next: unknown } {
  if (next === 'lowest-key') {
    // Newest first, whatever the order in which an object lists its members.
    const keys = Object.keys(page as object).sort((one, other) => Number(other) - Number(one));
    return { items: keys.map((key) => (page as Record<string, unknown>)[key]), next: keys.at(-1) };
  }
  if ('cursorBeside' in next) {
    const { [next.cursorBeside]: items, cursor } = page as Record<string, unknown>;
    return { items: items as readonly unknown[], next: cursor };
  }
  const items = page as readonly Record<string, unknown>[];
  return { items, next: items.at(-1)?.[next.itemMember] };
}
