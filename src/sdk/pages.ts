// Iterates over a paginated list: requests the next page once the previous one is consumed.
import type { Call, Input } from './client.ts';
import type { CallOptions, Paging } from './settings.ts';

export async function* iteratePages(
  call: Call,
  paging: Paging,
  input: Input = {},
  options: CallOptions = {},
): AsyncGenerator<unknown, void, void> {
  const limit = (input['limit'] as number | undefined) ?? paging.limit;
  let position = input[paging.parameter];
  for (;;) {
    const page = await call({ ...input, limit, [paging.parameter]: position }, options);
    const { items, next } = readPage(page, paging);
    yield* items;
    if (items.length < limit) return;
    position = next;
  }
}

function readPage(page: unknown, { next }: Paging): { items: readonly unknown[]; next: unknown } {
  if (next === 'lowest-key') {
    // Newest first: objects list numeric keys in ascending order.
    const keys = Object.keys(page as object).sort((a, b) => Number(b) - Number(a));
    return { items: keys.map((key) => (page as Record<string, unknown>)[key]), next: keys.at(-1) };
  }
  if ('cursorBeside' in next) {
    const { [next.cursorBeside]: items, cursor } = page as Record<string, unknown>;
    return { items: items as readonly unknown[], next: cursor };
  }
  const items = page as readonly Record<string, unknown>[];
  return { items, next: items.at(-1)?.[next.itemMember] };
}
