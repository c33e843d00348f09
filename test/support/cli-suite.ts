// A suite that runs commands as a customer of the lab types them.
//
//   const cli = cliSuite();
//   it('…', async () => assert.match(await cli.prints('server list'), /web1/));

import assert from 'node:assert/strict';
import { before } from 'node:test';
import { openTestApp, type TestApp } from './app.ts';
import { runCli, type CliCall, type CliResult } from './cli.ts';
import { temporaryFolder, type TemporaryFolder } from './folder.ts';
import { suiteResources } from './suite-resources.ts';

export interface CliSuite {
  readonly app: TestApp;
  /** An empty folder for files of the tests. */
  readonly folder: string;
  /** Where the customer's commands go, and their key. */
  readonly server: { readonly url: string; readonly key: string };
  run(words: string, call?: LineCall): Promise<CliResult>;
  /** Returns what a command prints that succeeds. */
  prints(words: string, call?: LineCall): Promise<string>;
  /** Returns the error of a command that ends with this code. */
  ends(words: string, code: number, call?: LineCall): Promise<string>;
}

export interface LineCall extends CliCall {
  /** Further words, which may contain spaces. */
  readonly rest?: readonly string[];
}

export function cliSuite(): CliSuite {
  const owned = suiteResources();
  let app: TestApp;
  let folder: TemporaryFolder;
  before(async () => {
    app = owned.use(await openTestApp({ worksOffJobs: true, site: { webhooks: { allow: ['127.0.0.0/8'] } } }));
    folder = owned.use(await temporaryFolder('cli'));
  });
  const server = (): CliSuite['server'] => ({ url: app.url, key: app.lab.customer.key });
  const run: CliSuite['run'] = (words, call) => runLine(server(), words, call);
  return {
    get app() {
      return app;
    },
    get folder() {
      return folder.path;
    },
    get server() {
      return server();
    },
    run,
    async prints(words, call) {
      const { code, out, err } = await run(words, call);
      assert.equal(code, 0, err);
      return out;
    },
    async ends(words, code, call) {
      const result = await run(words, call);
      assert.equal(result.code, code, JSON.stringify(result));
      return result.err;
    },
  };
}

/** Runs a command line, which is split at spaces. */
export function runLine(
  server: CliSuite['server'] | undefined,
  words: string,
  { rest = [], ...call }: LineCall = {},
): Promise<CliResult> {
  return runCli(server, [...words.split(' '), ...rest], call);
}
