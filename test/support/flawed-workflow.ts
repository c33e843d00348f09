// Workflows with one flaw each, put through the harness in a process of their own by harness.test.ts, which expects failure.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { harness } from '#workflows/harness.ts';
import { done, workflow } from '#workflows/workflow.ts';
import { makeShelf, type Shelf, type Thing } from './shelf.ts';

const drop = (folder: string, name: string): void => writeFileSync(join(folder, name), '');

const flawed = {
  /** Undo leans on the saved output, which is not there when the result was lost. */
  leaks: workflow<Shelf, Thing>('leaks', 1).step('box', {
    do: async ({ deps, workflow: id }) => {
      drop(deps.folder, `box-${id}`);
      return done({ file: `box-${id}` });
    },
    undo: async ({ deps }, _input, { own }) => {
      if (own !== undefined) rmSync(join(deps.folder, own.file), { force: true });
      return done();
    },
  }),
  /** A name of its own at every run: repeated, it makes a second one. */
  repeats: workflow<Shelf, Thing>('repeats', 1).step('box', {
    do: async ({ deps }) => {
      drop(deps.folder, `box-${Math.random()}`);
      return done();
    },
    undo: async ({ deps }) => {
      for (const name of readdirSync(deps.folder).filter((file) => file.startsWith('box-')))
        rmSync(join(deps.folder, name));
      return done();
    },
  }),
  'half-undone': workflow<Shelf, Thing>('half-undone', 1)
    .step('box', {
      do: async ({ deps, workflow: id }) => {
        drop(deps.folder, `box-${id}`);
        return done();
      },
      undo: 'nothing',
    })
    .step('label', { do: async () => done(), undo: 'nothing' }),
};

harness({ workflow: flawed[process.argv.at(-1) as keyof typeof flawed], makeWorld: makeShelf });
