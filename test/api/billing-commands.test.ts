// `hostyard billing` on the command line, without a server: output and exit codes.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import type { Site } from '#contract/site/site.ts';
import { ada } from '#test/support/customer-fixture.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const root = join(import.meta.dirname, '..', '..');

const site: Site = {
  provider: { name: 'Example', currency: { code: 'EUR' } },
  customers: [
    {
      ...ada,
      opening: {
        invoices: [
          {
            number: 'A-1',
            date: '2026-01-01',
            due: '2026-01-15',
            lines: [{ type: 'Hosting', description: 'One month', amount: '89.00' }],
          },
        ],
      },
    },
  ],
};

test('staff run billing, record payments and read the ledger', async () => {
  await using folder = await temporaryFolder('commands');
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder.path, name), content);
    return join(folder.path, name);
  };
  async function hostyard(...args: string[]): Promise<{ code: number; output: string }> {
    const env = { ...process.env, HOSTYARD_DATA: join(folder.path, 'data') };
    try {
      const command = ['bin/hostyard.js', ...args];
      const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root, env, timeout: 120_000 });
      return { code: 0, output: stdout };
    } catch (error) {
      const { code, stderr } = error as { code: number; stderr: string };
      return { code, output: stderr };
    }
  }

  assert.equal((await hostyard('apply', file('site.yaml', stringify(site)))).code, 0);
  const rejection = await hostyard('billing', 'pay', '--invoice', 'A-1', '--amount', '9.999', '--reference', 'x');
  assert.deepEqual(rejection, { code: 1, output: '9.999 is not an amount above zero with at most two decimals.\n' });
  const list = file(
    'bank.csv',
    'date,amount,text,reference\n2026-01-10,89.00,Invoice A 1,B1\n2026-01-11,1.00,hel\u001B[2Jlo,B2\n',
  );
  assert.equal(
    (await hostyard('billing', 'payments', 'import', list)).output,
    // A payer's text cannot control the terminal.
    '1 received (89.00), 0 already known, 0 outgoing, 1 not matched\nline 3: 2026-01-11 1.00 "hel[2Jlo" mentions no invoice\n',
  );
  const { output } = await hostyard('billing', 'ledger', '--account', '1');
  assert.deepEqual(output.split('\n').slice(0, 2), [
    '2026-01-01         89.00  receivable from revenue:Hosting  opening A-1',
    '2026-01-10         89.00  paid:banktransfer from receivable  payment A-1 B1',
  ]);
  for (const args of [
    ['billing', 'ledger'],
    ['key', 'list'],
  ])
    assert.deepEqual(await hostyard(...args, '--account', '9'), {
      code: 1,
      output: 'Account 9 does not exist. `hostyard operator account list` lists all.\n',
    });
  assert.equal((await hostyard('billing', 'run')).output, 'No account is due.\n');
});
