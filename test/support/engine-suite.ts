// Suites that run once on each database engine.
//
//   describeOnEngines('keys', ({ openApp }) => {
//     let app: TestApp;
//     before(async () => void (app = await openApp()));

import { after, before, describe } from 'node:test';
import {
  engines,
  openTestApp,
  type EngineUnderTest,
  type RunningEngine,
  type TestApp,
  type TestAppOptions,
} from './app.ts';
import { isLongRun } from './long-run.ts';
import type { SuiteOptions } from './needs.ts';
import { suiteResources } from './suite-resources.ts';

export interface EngineSuite {
  readonly engine: 'sqlite' | 'postgres';
  /** Disposed of at the suite's end. */
  readonly owned: AsyncDisposableStack;
  /** Creates a database with all tables. Returns it as an option of `openTestApp`. */
  newDatabase(): ReturnType<RunningEngine['newDatabase']>;
  /** Creates a database without tables. */
  emptyDatabase(): ReturnType<RunningEngine['emptyDatabase']>;
  /** Opens an app on a new database, until the suite's end. */
  openApp(options?: Omit<TestAppOptions, 'database'>): Promise<TestApp>;
}

/** PostgreSQL only in long runs. */
export const enginesOfSlowSuites = engines.filter(({ engine }) => engine === 'sqlite' || isLongRun);

type Declare = (suite: EngineSuite) => void;
type Options = SuiteOptions & {
  concurrency?: number | boolean;
  /** For slow suites, whose queries other suites and the sweeps cover on both engines. */
  postgres?: 'in long runs';
};

/** Database servers, shared by all suites of the process. */
const started = new Map<EngineUnderTest, Promise<RunningEngine>>();
after(async () => {
  for (const running of started.values()) await (await running)[Symbol.asyncDispose]();
});

function startOnce(engine: EngineUnderTest): Promise<RunningEngine> {
  const running = started.get(engine) ?? engine.start();
  started.set(engine, running);
  return running;
}

/** Declares the suites "<title> on sqlite" and "<title> on postgres"; some of the latter only with `--long`. */
export function describeOnEngines(title: string, declare: Declare): void;
export function describeOnEngines(title: string, options: Options, declare: Declare): void;
export function describeOnEngines(title: string, ...rest: [Declare] | [Options, Declare]): void {
  const [{ postgres, ...options }, declare]: [Options, Declare] = rest.length === 1 ? [{}, ...rest] : rest;
  for (const engineUnderTest of postgres === 'in long runs' ? enginesOfSlowSuites : engines) {
    const { engine, suite } = engineUnderTest;
    describe(`${title} on ${engine}`, { ...options, ...suite }, () => {
      const owned = suiteResources();
      let running: RunningEngine;
      before(async () => void (running = await startOnce(engineUnderTest)));
      const newDatabase = () => running.newDatabase();
      const openApp: EngineSuite['openApp'] = async (appOptions) =>
        owned.use(await openTestApp({ ...(await newDatabase()), ...appOptions }));
      declare({ engine, owned, newDatabase, emptyDatabase: () => running.emptyDatabase(), openApp });
    });
  }
}
