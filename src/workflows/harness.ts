// What every workflow must stand: each step run twice, failure before and after each `do`, a crash at every boundary, each
// `undo` repeated, a cancel at any moment. The world is looked at from outside: after success it is always the same, after
// failure it is as before.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Clock } from '#kernel/clock.ts';
import { makeLog } from '#kernel/log.ts';
import type { JobAttempt, Jobs } from '#jobs/jobs.ts';
import type { Store } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import { workflowLoad, workflowRequestCancel, workflowsUnderWay, type WorkflowRecord } from '#store/work/workflows.ts';
import { runWorkflow, startWorkflow, type Boundaries } from './runner.ts';
import { failed, type AnyWorkflow } from './workflow.ts';

export interface World<Deps, Input> extends AsyncDisposable {
  readonly store: Store;
  readonly account: AccountId;
  readonly service: number | undefined;
  readonly deps: Deps;
  readonly input: Input;
  /** All that the workflow can change, in a form that compares by value and has no times or random values in it. */
  look(): Promise<unknown>;
}

export interface Scenario<Deps, Input extends object> {
  readonly workflow: AnyWorkflow<Deps>;
  readonly makeWorld: () => Promise<World<Deps, Input>>;
}

const movesAtMost = 500;
const worldsAtOnce = 8;
const moments = ['before', 'after', 'saved'] as const;
const log = makeLog('silent');

export function harness<Deps, Input extends object>({ workflow, makeWorld }: Scenario<Deps, Input>): void {
  const stepNames = workflow.steps.map(({ name }) => name);
  let seen: Promise<unknown> | undefined;
  const goodEnd = (): Promise<unknown> => (seen ??= lookAtEnd(workflow, makeWorld));

  describe(`workflow ${workflow.name} version ${workflow.version}`, { concurrency: worldsAtOnce }, () => {
    test('runs to its end', async () => {
      await using world = await makeWorld();
      const record = await runThrough(workflow, world, {});
      assert.equal(record.status, 'Completed', record.error_reason ?? '');
      assert.equal(record.progress, 100);
    });

    for (const name of stepNames) {
      test(`step ${name} run twice changes nothing more`, async () => {
        await using world = await makeWorld();
        const twice = crashOnce('do', name, 'after');
        const record = await runThrough(workflow, world, twice);
        assert.equal(record.status, 'Completed');
        assert.deepEqual(await world.look(), await goodEnd());
      });
      for (const moment of ['before', 'saved'] as const) {
        test(`a crash ${moment === 'before' ? 'before' : 'just after saving'} step ${name} is made up for`, async () => {
          await using world = await makeWorld();
          const record = await runThrough(workflow, world, crashOnce('do', name, moment));
          assert.equal(record.status, 'Completed');
          assert.deepEqual(await world.look(), await goodEnd());
        });
      }
      for (const moment of ['before', 'after'] as const) {
        test(`failure ${moment} step ${name} leaves all as it was`, async () => {
          await using world = await makeWorld();
          const initial = await world.look();
          const record = await runThrough(workflow, world, failAt(name, moment));
          assert.equal(record.status, 'Failed');
          assert.deepEqual(await world.look(), initial);
        });
      }
      test(`failure after step ${name}, with every undo run twice and crashing at every boundary, leaves all as it was`, async () => {
        await using world = await makeWorld();
        const initial = await world.look();
        const undos = stepNames.slice(0, stepNames.indexOf(name) + 1);
        const crashes = undos.flatMap((undo) => moments.map((moment) => crashOnce('undo', undo, moment)));
        const record = await runThrough(workflow, world, together(failAt(name, 'after'), ...crashes));
        assert.equal(record.status, 'Failed');
        assert.deepEqual(await world.look(), initial);
      });
      for (const moment of moments) {
        test(`cancelled ${moment === 'saved' ? 'just after saving' : moment} step ${name}, it leaves all as it was`, async () => {
          await using world = await makeWorld();
          const initial = await world.look();
          const record = await runThrough(workflow, world, cancelAt(world.store, name, moment));
          assert.equal(record.status, 'Cancelled');
          assert.deepEqual(await world.look(), initial);
        });
      }
    }
  });
}

async function lookAtEnd<Deps, Input extends object>(
  workflow: AnyWorkflow<Deps>,
  makeWorld: () => Promise<World<Deps, Input>>,
): Promise<unknown> {
  await using world = await makeWorld();
  await runThrough(workflow, world, {});
  // Awaited here: the world is gone once this returns.
  return await world.look();
}

class Crash extends Error {}

function crashOnce(direction: 'do' | 'undo', step: string, moment: keyof Boundaries): Partial<Boundaries> {
  let crashed = false;
  return {
    [moment]: async (atDirection: 'do' | 'undo', atStep: string) => {
      if (crashed || atDirection !== direction || atStep !== step) return undefined;
      crashed = true;
      throw new Crash();
    },
  };
}

function failAt(step: string, moment: 'before' | 'after'): Partial<Boundaries> {
  return {
    [moment]: async (direction: 'do' | 'undo', atStep: string) => {
      return direction === 'do' && atStep === step ? failed('internal_error', 'injected') : undefined;
    },
  };
}

function cancelAt(store: Store, step: string, moment: keyof Boundaries): Partial<Boundaries> {
  return {
    [moment]: async (direction: 'do' | 'undo', atStep: string) => {
      if (direction === 'undo' || atStep !== step) return undefined;
      const [id] = await workflowsUnderWay(store.queries, '', 1);
      await workflowRequestCancel(store.queries, id!);
      return undefined;
    },
  };
}

function together(...all: readonly Partial<Boundaries>[]): Boundaries {
  const at = (moment: 'before' | 'after') => async (direction: 'do' | 'undo', step: string) => {
    for (const boundaries of all) {
      const instead = await boundaries[moment]?.(direction, step);
      if (instead !== undefined) return instead;
    }
    return undefined;
  };
  const saved: Boundaries['saved'] = async (direction, step) => {
    for (const boundaries of all) await boundaries.saved?.(direction, step);
    return undefined;
  };
  return { before: at('before'), after: at('after'), saved };
}

/** Runs until the workflow has ended, as if after each crash another process took the job. Waiting is skipped by a clock that
 * runs ahead. */
async function runThrough<Deps, Input extends object>(
  workflow: AnyWorkflow<Deps>,
  world: World<Deps, Input>,
  faults: Partial<Boundaries>,
): Promise<WorkflowRecord> {
  let ahead = 0;
  const clock: Clock = { now: () => Date.now() + ahead };
  const jobs: Jobs = {
    enqueue: async (_queries, _kind, _payload, when) => {
      if (when !== undefined) ahead += Math.max(0, when.runAt - clock.now());
      return 'harness';
    },
  } as Partial<Jobs> as Jobs;
  const parts = { store: world.store, clock, log, jobs, deps: world.deps, workflows: [workflow] };
  const boundaries = together(faults);
  const id = await world.store.transaction((queries) =>
    startWorkflow(parts, queries, workflow, {
      account: world.account,
      service: world.service,
      operation: 'harness',
      input: world.input,
    }),
  );
  for (let moves = 0; moves < movesAtMost; moves++) {
    try {
      await runWorkflow(parts, attemptOf(world.store, id, moves + 1), boundaries);
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
    const record = await workflowLoad(world.store.queries, id);
    if (record!.ended_at !== null) return record!;
  }
  throw new Error(`${workflow.name} did not end in ${movesAtMost} attempts`);
}

/** A job attempt whose fence always holds: crashes are what is tried here, and the engines have their own suite. */
function attemptOf(store: Store, id: string, attempt: number): JobAttempt<{ id: string }> {
  return {
    id: 'harness',
    attempt,
    payload: { id },
    signal: new AbortController().signal,
    publish: (work) => store.transaction(work),
    complete: (work) => store.transaction(work),
  };
}

/** Names of registered workflows that no scenario covers. */
export function unenrolled(
  registered: readonly Pick<AnyWorkflow<never>, 'name' | 'version'>[],
  scenarios: readonly { readonly workflow: Pick<AnyWorkflow<never>, 'name' | 'version'> }[],
): string[] {
  return registered
    .filter(
      ({ name, version }) => !scenarios.some(({ workflow }) => workflow.name === name && workflow.version === version),
    )
    .map(({ name, version }) => `${name} version ${version}`);
}
