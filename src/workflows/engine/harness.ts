// Tests every workflow must pass: each step run twice, failure before and after each `do`, a crash at every boundary, each `undo`
// repeated, cancellation at any point, steps that wait forever. No step is undone that was never started. Success must always lead
// to the same observable state, failure back to the initial one.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Clock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import type { JobAttempt, Queue } from '#queue/queue.ts';
import type { Store } from '#store/store.ts';
import { workflowLoad, workflowRequestCancel, workflowsRunning, type WorkflowRecord } from '#store/work/workflows.ts';
import type { Boundaries } from './boundaries.ts';
import { runWorkflow, startWorkflow, undeclaredWait } from './runner.ts';
import { failed, wait, type AnyWorkflow } from './workflow.ts';
import type { AccountId } from '#store/account-id.ts';

export interface Fixture<Deps, Input> extends AsyncDisposable {
  readonly store: Store;
  readonly account: AccountId;
  readonly service: number | undefined;
  readonly deps: Deps;
  readonly input: Input;
  /** Returns everything that the workflow can change, comparable by value: without times or random values. */
  observe(): Promise<unknown>;
}

export interface Scenario<Deps, Input extends object> {
  readonly workflow: AnyWorkflow<Deps>;
  readonly makeFixture: () => Promise<Fixture<Deps, Input>>;
  /** Checks what is observed after a failure or cancellation, if that is not the initial state. */
  readonly assertFailed?: (observed: unknown) => void;
  /** Another way through a workflow that has a scenario already, and the steps that are different there. */
  readonly variant?: { readonly name: string; readonly steps: readonly string[] };
}

const maxAttempts = 500;
const concurrency = 8;
const boundaryNames = ['before', 'after', 'saved'] as const;
const log = createLog('silent');

/** Some cases reach a state that another one reaches as well, and take more than half of the time. */
export type Cases = 'every case' | 'each state once';

export function harness<Deps, Input extends object>(
  scenario: Scenario<Deps, Input>,
  cases: Cases = 'each state once',
): void {
  const { workflow, makeFixture, assertFailed, variant } = scenario;
  const stepNames = workflow.steps.map(({ name }) => name);
  let completed: Promise<unknown> | undefined;
  const completedState = (): Promise<unknown> => (completed ??= observeCompletion(workflow, makeFixture));

  const title = `workflow ${workflow.name} version ${workflow.version}${variant === undefined ? '' : `, ${variant.name}`}`;
  describe(title, { concurrency }, () => {
    test('completes', async () => {
      await using fixture = await makeFixture();
      const record = await runToEnd(workflow, fixture, {});
      assert.equal(record.status, 'Completed', record.error_reason ?? '');
      assert.equal(record.progress, 100);
    });

    const steps = variant?.steps ?? stepNames;
    for (const names of cases === 'every case' ? steps.map((name) => [name]) : [steps]) {
      const subject = names.length === 1 ? `step ${names[0]}` : 'every step';
      const crashAt = (boundary: 'before' | 'after') =>
        combine(...names.map((name) => crashOnce('do', name, boundary)));
      test(`${subject} run twice has the same effect as once`, () => assertCompletes(crashAt('after')));
      // One just after saving a step is one before the next.
      test(`a crash before ${subject} is recovered`, () => assertCompletes(crashAt('before')));
    }

    for (const name of steps) {
      // Waiting forever fails before a step too. Failing after it is the next case, and cancellation runs each undo once.
      for (const boundary of cases === 'every case' ? (['before', 'after'] as const) : []) {
        test(`failure ${boundary} step ${name} restores the initial state`, () =>
          assertRestores('Failed', () => failAt(name, boundary)));
      }
      test(`failure after step ${name}, with every undo run twice and crashing at every boundary, restores the initial state`, () => {
        const undos = stepNames.slice(0, stepNames.indexOf(name) + 1);
        const crashes = undos.flatMap((undo) => boundaryNames.map((boundary) => crashOnce('undo', undo, boundary)));
        return assertRestores('Failed', () => combine(failAt(name, 'after'), ...crashes));
      });
      test(`step ${name} that never stops waiting fails at its limit, and the initial state is restored`, () => {
        const limit = workflow.steps.find((step) => step.name === name)!.step.limit;
        return assertRestores('Failed', () => waitForever('do', [name]), limit?.reason ?? undeclaredWait);
      });
      test(`cancellation before step ${name} restores the initial state`, () =>
        assertRestores('Cancelled', (store) => cancelAt(store, name, 'before')));
      // The step has been saved as well when the runner notices a cancellation from before it, unless it waits.
      if (cases === 'every case')
        test(`cancellation just after saving step ${name} restores the initial state`, () =>
          assertRestores('Cancelled', (store) => cancelAt(store, name, 'saved')));
    }

    if (variant !== undefined) return;
    test('a crash just after saving the last step is recovered', () =>
      assertCompletes(crashOnce('do', stepNames.at(-1)!, 'saved')));

    test('a rollback whose undo never stops waiting ends', async () => {
      await using fixture = await makeFixture();
      const failure = failAt(stepNames.at(-1)!, 'after');
      const record = await runToEnd(workflow, fixture, combine(failure, waitForever('undo', stepNames)));
      assert.equal(record.status, 'Failed');
    });
  });

  async function assertCompletes(injected: Partial<Boundaries>): Promise<void> {
    await using fixture = await makeFixture();
    const record = await runToEnd(workflow, fixture, injected);
    assert.equal(record.status, 'Completed');
    assert.deepEqual(await fixture.observe(), await completedState());
  }

  async function assertRestores(
    status: 'Failed' | 'Cancelled',
    inject: (store: Store) => Partial<Boundaries>,
    reason?: string,
  ): Promise<void> {
    await using fixture = await makeFixture();
    const initial = await fixture.observe();
    const record = await runToEnd(workflow, fixture, inject(fixture.store));
    assert.equal(record.status, status);
    const observed = await fixture.observe();
    if (assertFailed === undefined) assert.deepEqual(observed, initial);
    else assertFailed(observed);
    if (reason !== undefined) assert.equal(record.error_reason, reason);
  }
}

async function observeCompletion<Deps, Input extends object>(
  workflow: AnyWorkflow<Deps>,
  makeFixture: () => Promise<Fixture<Deps, Input>>,
): Promise<unknown> {
  await using fixture = await makeFixture();
  await runToEnd(workflow, fixture, {});
  // Awaited here, before the fixture is disposed.
  return await fixture.observe();
}

class Crash extends Error {}

function crashOnce(direction: 'do' | 'undo', step: string, boundary: keyof Boundaries): Partial<Boundaries> {
  let crashed = false;
  return {
    [boundary]: async (atDirection: 'do' | 'undo', atStep: string) => {
      if (crashed || atDirection !== direction || atStep !== step) return undefined;
      crashed = true;
      throw new Crash();
    },
  };
}

function waitForever(direction: 'do' | 'undo', steps: readonly string[]): Partial<Boundaries> {
  return {
    before: async (atDirection, atStep) =>
      atDirection === direction && steps.includes(atStep) ? wait(Number.MAX_SAFE_INTEGER / 2) : undefined,
  };
}

function failAt(step: string, boundary: 'before' | 'after'): Partial<Boundaries> {
  return {
    [boundary]: async (direction: 'do' | 'undo', atStep: string) => {
      return direction === 'do' && atStep === step ? failed('internal_error', 'injected') : undefined;
    },
  };
}

function cancelAt(store: Store, step: string, boundary: keyof Boundaries): Partial<Boundaries> {
  return {
    [boundary]: async (direction: 'do' | 'undo', atStep: string) => {
      if (direction === 'undo' || atStep !== step) return undefined;
      const [id] = await workflowsRunning(store.queries, '', 1);
      await workflowRequestCancel(store.queries, id!);
      return undefined;
    },
  };
}

/** Fails if a step is undone that was never started. */
function rejectNeedlessUndo(): Partial<Boundaries> {
  const started = new Set<string>();
  return {
    before: async (direction, step) => {
      if (direction === 'do') started.add(step);
      else assert.ok(started.has(step), `${step} was undone although it was never started`);
      return undefined;
    },
  };
}

function combine(...all: readonly Partial<Boundaries>[]): Boundaries {
  const at = (boundary: 'before' | 'after') => async (direction: 'do' | 'undo', step: string) => {
    for (const boundaries of all) {
      const injected = await boundaries[boundary]?.(direction, step);
      if (injected !== undefined) return injected;
    }
    return undefined;
  };
  const saved: Boundaries['saved'] = async (direction, step) => {
    for (const boundaries of all) await boundaries.saved?.(direction, step);
    return undefined;
  };
  return { before: at('before'), after: at('after'), saved };
}

/** Runs the workflow to its end, as if another process took the job after each crash. The clock jumps over waits. */
export async function runToEnd<Deps, Input extends object>(
  workflow: AnyWorkflow<Deps>,
  fixture: Fixture<Deps, Input>,
  injected: Partial<Boundaries>,
): Promise<WorkflowRecord> {
  let aheadMs = 0;
  const clock: Clock = { now: () => Date.now() + aheadMs };
  const queue: Queue = {
    enqueue: async (_queries, _kind, _payload, when) => {
      if (when !== undefined) aheadMs += Math.max(0, when.runAt - clock.now());
      return 'harness';
    },
  } as Partial<Queue> as Queue;
  const parts = { store: fixture.store, clock, log, queue, deps: fixture.deps, workflows: [workflow] };
  const boundaries = combine(rejectNeedlessUndo(), injected);
  const id = await fixture.store.transaction((queries) =>
    startWorkflow(parts, queries, workflow, {
      account: fixture.account,
      service: fixture.service,
      operation: 'harness',
      input: fixture.input,
    }),
  );
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    try {
      await runWorkflow(parts, attemptOf(fixture.store, id, attempt), boundaries);
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
    const record = await workflowLoad(fixture.store.queries, id);
    if (record!.ended_at !== null) return record!;
  }
  throw new Error(`${workflow.name} did not end in ${maxAttempts} attempts`);
}

/** A job attempt whose fence always holds: fencing is tested with the queue engines. */
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

export function withoutScenario(
  registered: readonly Pick<AnyWorkflow<never>, 'name' | 'version'>[],
  scenarios: readonly { readonly workflow: Pick<AnyWorkflow<never>, 'name' | 'version'> }[],
): string[] {
  return registered
    .filter(
      ({ name, version }) => !scenarios.some(({ workflow }) => workflow.name === name && workflow.version === version),
    )
    .map(({ name, version }) => `${name} version ${version}`);
}
