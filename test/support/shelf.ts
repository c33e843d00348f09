// A small world for workflows: things on shelves, kept in a file so that they outlive a process as real equipment does.
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '#store/store.ts';
import type { World } from '#workflows/harness.ts';
import { done, wait, workflow } from '#workflows/workflow.ts';
import { addAccount } from './accounts.ts';
import { temporaryFolder } from './folder.ts';

export interface Shelf {
  readonly folder: string;
}
export interface Thing {
  readonly name: string;
}

const placed = (shelf: Shelf, kind: string, id: string): string => join(shelf.folder, `${kind}-${id}`);

/** Puts the thing there once, however often it is asked; counts how often it really did. */
function put(shelf: Shelf, kind: string, id: string): void {
  if (existsSync(placed(shelf, kind, id))) return;
  writeFileSync(placed(shelf, kind, id), '');
  appendFileSync(join(shelf.folder, 'put.log'), `${kind} ${id}\n`);
}
function take(shelf: Shelf, kind: string, id: string): void {
  rmSync(placed(shelf, kind, id), { force: true });
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

export async function makeShelf(): Promise<World<Shelf, Thing>> {
  const folder = await temporaryFolder('shelf');
  const store = await openStore({ dataFolder: folder.path, database: undefined });
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

/** How often each thing was really put there. */
export function shelfPuts(shelf: Shelf): string[] {
  const file = join(shelf.folder, 'put.log');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}
