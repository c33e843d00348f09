// Suites that run once on each database engine.
//
//   describeOnEngines('keys', ({ openApp }) => {
//     let app: TestApp;
//     before(async () => void (app = await openApp()));

import { before, describe } from 'node:test';
import { engines, openTestApp, type RunningEngine, type TestApp, type TestAppOptions } from './app.ts';
import type { SuiteOptions } from './needs.ts';
import { suiteResources } from './suite-resources.ts';

export interface EngineSuite {
  readonly engine: 'sqlite' | 'postgres';
  /** Disposed of at the suite's end. */
  readonly owned: AsyncDisposableStack;
  /** Creates a database with all tables. Returns it as an option of `openTestApp`. */
  newDatabase(): ReturnType<RunningEngine['newDatabase']>;
  /** Opens an app on a new database, until the suite's end. */
  openApp(options?: Omit<TestAppOptions, 'database'>): Promise<TestApp>;
}

type Declare = (suite: EngineSuite) => void;
type Options = SuiteOptions & { concurrency?: number | boolean };

/** Declares the suites "<title> on sqlite" and "<title> on postgres". */
export function describeOnEngines(title: string, declare: Declare): void;
export function describeOnEngines(title: string, options: Options, declare: Declare): void;
export function describeOnEngines(title: string, ...rest: [Declare] | [Options, Declare]): void {
  const [options, declare] = rest.length === 1 ? [{}, ...rest] : rest;
  for (const { engine, suite, start } of engines) {
    describe(`${title} on ${engine}`, { ...options, ...suite }, () => {
      const owned = suiteResources();
      let running: RunningEngine;
      before(async () => void (running = owned.use(await start())));
      const newDatabase = () => running.newDatabase();
      const openApp: EngineSuite['openApp'] = async (appOptions) =>
        owned.use(await openTestApp({ ...(await newDatabase()), ...appOptions }));
      declare({ engine, owned, newDatabase, openApp });
    });
  }
}
