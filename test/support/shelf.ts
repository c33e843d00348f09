// A small world for workflows: things on shelves, kept as folders so that they outlive a process as real equipment does. Making
// one and putting it away are single moves of the file system: a process that is killed leaves it whole or not at all.
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { World } from '#workflows/harness.ts';
import { done, failed, wait, workflow, type StepContext, type StepResult } from '#workflows/workflow.ts';
import { addAccount } from './accounts.ts';
import { temporaryFolder } from './folder.ts';
import { openTestStore } from './store.ts';

export interface Shelf {
  readonly folder: string;
}
export interface Thing {
  readonly name: string;
}

const placed = (shelf: Shelf, kind: string, id: string): string => join(shelf.folder, `${kind}-${id}`);

/** Puts the thing there, unless it stands there. */
function put(shelf: Shelf, kind: string, id: string): void {
  unless('EEXIST', () => mkdirSync(placed(shelf, kind, id)));
}
/** What is taken away is kept aside, to be counted. */
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

export const careful = workflow<Shelf, Thing>('careful', 1)
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

export interface Fickle {
  /** The thing that cannot be put there, if any, and whether that is noticed before or after. */
  readonly fails: 'box' | 'label' | 'seal' | undefined;
  readonly noticed: 'before' | 'after';
}

const stepMs = 50;

/** Takes its time, so that a process can be killed in the midst of a step, and fails where it is told to. */
async function place(
  { deps, workflow: id, now, since }: StepContext<Shelf>,
  kind: string,
  { fails, noticed }: Fickle,
): Promise<StepResult<undefined>> {
  if (now - since < stepMs) return wait(stepMs);
  const refusal = failed('device_busy', `no room for a ${kind}`);
  if (fails === kind && noticed === 'before') return refusal;
  await pause(stepMs);
  put(deps, kind, id);
  await pause(stepMs);
  return fails === kind ? refusal : done();
}
async function clear({ deps, workflow: id }: StepContext<Shelf>, kind: string): Promise<StepResult<undefined>> {
  await pause(stepMs);
  take(deps, kind, id);
  await pause(stepMs);
  return done();
}

export const fickle = workflow<Shelf, Fickle>('fickle', 1)
  .step('box', { do: (context, input) => place(context, 'box', input), undo: (context) => clear(context, 'box') })
  .step('label', { do: (context, input) => place(context, 'label', input), undo: (context) => clear(context, 'label') })
  .step('seal', { do: (context, input) => place(context, 'seal', input), undo: (context) => clear(context, 'seal') });

export async function makeShelf(): Promise<World<Shelf, Thing>> {
  const folder = await temporaryFolder('shelf');
  const store = await openTestStore({ dataFolder: folder.path, database: undefined });
  const account = await addAccount(store, 1);
  const shelf = { folder: folder.path };
  return {
    store,
    account,
    service: undefined,
    deps: shelf,
    input: { name: 'cup' },
    look: async () => shelfKinds(shelf),
    async [Symbol.asyncDispose]() {
      await store.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** What stands there, by kind and number: ids differ from run to run. */
export function shelfKinds(shelf: Shelf): string[] {
  return readdirSync(shelf.folder)
    .filter((name) => /^(?:box|label)-/.test(name))
    .map((name) => name.split('-')[0]!)
    .toSorted();
}

/** How often each thing was really put there, whether it still stands there or not. */
export function shelfCounts(shelf: Shelf): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of readdirSync(shelf.folder)) {
    const thing = /^(?:gone-)?((?:box|label|seal)-[a-z0-9]+)/.exec(name)?.[1];
    if (thing !== undefined) counts.set(thing, (counts.get(thing) ?? 0) + 1);
  }
  return counts;
}
