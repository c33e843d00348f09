// A minimal fixture for workflows: items on shelves, stored as folders so that they outlive a process like real
// equipment. Adding and removing are single renames, so that a killed process leaves an item complete or not at all.
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Fixture } from '#workflows/engine/harness.ts';
import {
  done,
  failed,
  wait,
  workflow,
  type StepContext,
  type Settled,
  type StepResult,
} from '#workflows/engine/workflow.ts';
import { addAccount } from './accounts.ts';
import { temporaryFolder } from './folder.ts';
import { openOwnedStore } from './store.ts';
import { withResources } from './resources.ts';

export interface Shelf {
  readonly folder: string;
}
export interface Item {
  readonly name: string;
}

const placed = (shelf: Shelf, kind: string, id: string): string => join(shelf.folder, `${kind}-${id}`);

/** Adds the item unless it is already there. */
function put(shelf: Shelf, kind: string, id: string): void {
  unless('EEXIST', () => mkdirSync(placed(shelf, kind, id)));
}
/** Removed items are kept aside, to be counted. */
function take(shelf: Shelf, kind: string, id: string): void {
  const aside = join(shelf.folder, `gone-${kind}-${id}-${process.hrtime.bigint()}`);
  unless('ENOENT', () => renameSync(placed(shelf, kind, id), aside));
}
function unless(code: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
  }
}

export const careful = workflow<Shelf, Item>('careful', 1)
  .step('box', {
    do: async ({ deps, workflow: id }) => {
      put(deps, 'box', id);
      return done({ box: id });
    },
    undo: async ({ deps, workflow: id }) => {
      take(deps, 'box', id);
      return done();
    },
  })
  .step('settle', {
    do: async ({ now, since }) => (now - since < 200 ? wait(200) : done()),
    undo: 'nothing',
    limit: { ms: 400, code: 'internal_error', reason: 'It did not settle.' },
  })
  .step('label', {
    do: async ({ deps, workflow: id }, _input, saved) => {
      put(deps, 'label', saved.box.box === id ? id : 'wrong');
      return done();
    },
    undo: async ({ deps, workflow: id }) => {
      take(deps, 'label', id);
      return done();
    },
  });

export interface FlakyInput {
  /** The item that cannot be added, if any, and whether that shows before or after. */
  readonly fails: 'box' | 'label' | 'seal' | undefined;
  readonly noticed: 'before' | 'after';
}

const stepMs = 50;
const slowLimit = { ms: 60_000, code: 'internal_error', reason: 'It took too long.' } as const;

/** Slow on purpose, so that a process can be killed in the middle of a step; fails if configured to. */
async function addSlowly(
  { deps, workflow: id, now, since }: StepContext<Shelf>,
  kind: string,
  { fails, noticed }: FlakyInput,
): Promise<StepResult<undefined>> {
  if (now - since < stepMs) return wait(stepMs);
  const failure = failed('device_busy', `no space for a ${kind}`);
  if (fails === kind && noticed === 'before') return failure;
  await pause(stepMs);
  put(deps, kind, id);
  await pause(stepMs);
  return fails === kind ? failure : done();
}
async function removeSlowly({ deps, workflow: id }: StepContext<Shelf>, kind: string): Promise<Settled<undefined>> {
  await pause(stepMs);
  take(deps, kind, id);
  await pause(stepMs);
  return done();
}

export const fickle = workflow<Shelf, FlakyInput>('fickle', 1)
  .step('box', {
    do: (context, input) => addSlowly(context, 'box', input),
    undo: (context) => removeSlowly(context, 'box'),
    limit: slowLimit,
  })
  .step('label', {
    do: (context, input) => addSlowly(context, 'label', input),
    undo: (context) => removeSlowly(context, 'label'),
    limit: slowLimit,
  })
  .step('seal', {
    do: (context, input) => addSlowly(context, 'seal', input),
    undo: (context) => removeSlowly(context, 'seal'),
    limit: slowLimit,
  });

export async function makeShelf(): Promise<Fixture<Shelf, Item>> {
  await using owned = new AsyncDisposableStack();
  const store = await openOwnedStore(owned, 'shelf');
  const account = await addAccount(store, 1);
  const shelf = { folder: owned.use(await temporaryFolder('shelf')).path };
  return withResources(owned, {
    store,
    account,
    service: undefined,
    deps: shelf,
    input: { name: 'cup' },
    observe: async () => shelfKinds(shelf),
  });
}

/** Returns the items by kind and number, because ids differ from run to run. */
export function shelfKinds(shelf: Shelf): string[] {
  return readdirSync(shelf.folder)
    .filter((name) => /^(?:box|label)-/.test(name))
    .map((name) => name.split('-')[0]!)
    .toSorted();
}

/** Returns how often each item was really added, whether or not it is still there. */
export function shelfCounts(shelf: Shelf): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of readdirSync(shelf.folder)) {
    const item = /^(?:gone-)?((?:box|label|seal)-[a-z0-9]+)/.exec(name)?.[1];
    if (item !== undefined) counts.set(item, (counts.get(item) ?? 0) + 1);
  }
  return counts;
}
