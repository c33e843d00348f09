// Workflows with one flaw each. harness.test.ts runs them through the harness in a separate process and expects it to
// fail.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { harness } from '#workflows/engine/harness.ts';
import { done, workflow } from '#workflows/engine/workflow.ts';
import { makeShelf, type Shelf, type Item } from './shelf-fixture.ts';

const drop = (folder: string, name: string): void => writeFileSync(join(folder, name), '');

const flawed = {
  /** Its undo relies on the saved output, which is missing if the result was lost. */
  leaks: workflow<Shelf, Item>('leaks', 1).step('box', {
    do: async ({ deps, workflow: id }) => {
      drop(deps.folder, `box-${id}`);
      return done({ file: `box-${id}` });
    },
    undo: async ({ deps }, _input, { own }) => {
      if (own !== undefined) rmSync(join(deps.folder, own.file), { force: true });
      return done();
    },
  }),
  /** Uses a new name on every run, so a repetition creates a second one. */
  repeats: workflow<Shelf, Item>('repeats', 1).step('box', {
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
  'half-undone': workflow<Shelf, Item>('half-undone', 1)
    .step('box', {
      do: async ({ deps, workflow: id }) => {
        drop(deps.folder, `box-${id}`);
        return done();
      },
      undo: 'nothing',
    })
    .step('label', { do: async () => done(), undo: 'nothing' }),
};

harness({ workflow: flawed[process.argv.at(-1) as keyof typeof flawed], makeFixture: makeShelf });
