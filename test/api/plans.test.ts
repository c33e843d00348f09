// Plans, on both engines: an assistant proposes a call, a person approves or rejects it, and an approved one runs once.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, describe, test } from 'node:test';
import { v2 } from '#contract/contract.ts';
import { isPlannable } from '#contract/destructive-operations.ts';
import { costOf, type Api } from '#contract/endpoint.ts';
import type { Scope } from '#contract/scopes.ts';
import { createClient, HostyardError, type Client, type Plan } from '#sdk/v2.ts';
import { runCli } from '#test/support/cli.ts';
import { planInsert } from '#store/account/plans.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

async function assertRejected(call: Promise<unknown>, status: number, code: string): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof HostyardError, String(error));
    assert.deepEqual([error.status, error.code], [status, code]);
    return true;
  });
}

interface McpResponse {
  readonly id: number;
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { text: string }[];
    readonly tools?: readonly ListedPlan[];
  };
  readonly error?: { readonly code: number };
}
interface ListedPlan {
  readonly name: string;
  readonly inputSchema: { readonly required?: readonly string[] };
  readonly annotations: { readonly readOnlyHint: boolean };
}

/** Returns the responses of `hostyard mcp` to these requests, in order. */
async function mcp(
  server: { url: string; key: string },
  args: readonly string[],
  ...requests: [string, object][]
): Promise<McpResponse[]> {
  const begin = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18' } };
  const messages = requests.map(([method, params], index) => ({ jsonrpc: '2.0', id: index + 1, method, params }));
  const input = [begin, ...messages].map((message) => `${JSON.stringify(message)}\n`).join('');
  const { code, out, err } = await runCli(server, ['mcp', ...args], { input });
  assert.deepEqual([code, err], [0, '']);
  const responses = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as McpResponse);
  return messages.map(({ id }) => responses.find((response) => response.id === id)!);
}
function textOf(response: McpResponse | undefined): string {
  const text = response?.result?.content?.[0]?.text;
  assert.ok(text !== undefined, JSON.stringify(response));
  return text;
}

describeOnEngines('plans', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  /** Has all permissions. */
  let person: Client;
  /** Can read everything but change nothing on its own. */
  let assistant: Client;
  before(async () => {
    app = await openApp();
    person = createClient({ url: app.url, key: app.lab.customer.key });
    assistant = await clientWith('read-only', 'plan:write');
  });
  async function clientWith(...scopes: (Scope | 'read-only')[]): Promise<Client> {
    const { key } = await person.keyCreate({ name: 'test', scopes });
    return createClient({ url: app.url, key });
  }
  const powerOff = { operation: 'devicePowerSet', params: { service: '1001', action: 'off' } };

  test("let an assistant power off a server after a person's approval", async () => {
    await person.devicePowerSet({ service: 1001, action: 'on' });
    await assertRejected(assistant.devicePowerSet({ service: 1001, action: 'off' }), 403, 'scope_missing');
    const plan = await assistant.planCreate(powerOff);
    assert.equal(plan.status, 'Pending');
    assert.equal(plan.destroys, true);
    assert.deepEqual(plan.params, { service: 1001, action: 'off' });
    assert.match(plan.hits[0]!, /^service 1001, dedicated, .*dc01r01ds01, .*203\.0\.113\.10$/);
    assert.equal(plan.hits[1], 'action: off');
    await assertRejected(assistant.planRun({ id: plan.id }), 409, 'state_conflict');
    await assertRejected(assistant.planDecide({ id: plan.id, decision: 'approve' }), 403, 'scope_missing');

    const approved = await person.planDecide({ id: plan.id, decision: 'approve' });
    assert.equal(approved.status, 'Approved');
    assert.equal(await person.devicePowerGet({ service: 1001 }), 'on');
    const [first, again] = [await assistant.planRun({ id: plan.id }), await assistant.planRun({ id: plan.id })];
    assert.deepEqual([first, again], ['Chassis Power Control: Down/Off', 'Chassis Power Control: Down/Off']);
    assert.equal(await person.devicePowerGet({ service: 1001 }), 'off');
    const [done] = await person.planGet({ id: plan.id });
    assert.deepEqual([done!.status, done!.outcome], ['Done', 'success']);

    // Powered on since, it stays on: an executed plan does not run again.
    await person.devicePowerSet({ service: 1001, action: 'on' });
    assert.equal(await assistant.planRun({ id: plan.id }), 'Chassis Power Control: Down/Off');
    assert.equal(await person.devicePowerGet({ service: 1001 }), 'on');
    const entries = (await person.auditGet()).filter(({ operation }) => operation === 'v2.devicePowerSet');
    assert.equal(entries.filter(({ target, outcome }) => /action=off/.test(target) && outcome === 'success').length, 1);
  });

  test('that two callers execute at the same time run once', async () => {
    const plan = await assistant.planCreate({ operation: 'zoneCreate', params: { domain: 'twice.example.com' } });
    await person.planDecide({ id: plan.id, decision: 'approve' });
    const responses = await Promise.all([1, 2, 3].map(() => assistant.planRun({ id: plan.id })));
    assert.equal(new Set(responses).size, 1);
    const zones = (await person.zoneList()).filter(({ name }) => name === 'twice.example.com');
    assert.equal(zones.length, 1);
  });

  test('are rejected, even after approval, and then cannot run', async () => {
    const plan = await assistant.planCreate(powerOff);
    await person.planDecide({ id: plan.id, decision: 'approve' });
    await person.planDecide({ id: plan.id, decision: 'refuse' });
    await assertRejected(assistant.planRun({ id: plan.id }), 409, 'state_conflict');
    await assertRejected(person.planDecide({ id: plan.id, decision: 'approve' }), 409, 'state_conflict');
  });

  test('expire if nobody decides, and if they are not executed', async () => {
    const forgotten = await assistant.planCreate(powerOff);
    const late = await assistant.planCreate(powerOff);
    app.pass(14 * 60_000);
    await person.planDecide({ id: late.id, decision: 'approve' });
    app.pass(2 * 60_000);
    assert.equal((await person.planGet({ id: forgotten.id }))[0]!.status, 'Expired');
    await assertRejected(person.planDecide({ id: forgotten.id, decision: 'approve' }), 409, 'state_conflict');
    assert.equal((await person.planGet({ id: late.id }))[0]!.status, 'Approved');
    app.pass(14 * 60_000);
    await assertRejected(assistant.planRun({ id: late.id }), 409, 'state_conflict');
  });

  test('are approved only with another key that could make the call itself', async () => {
    const own = await person.planCreate(powerOff);
    await assertRejected(person.planDecide({ id: own.id, decision: 'approve' }), 403, 'scope_missing');
    const clerk = await clientWith('plan:approve', 'plan:read');
    await assertRejected(clerk.planDecide({ id: own.id, decision: 'approve' }), 403, 'scope_missing');
    const engineer = await clientWith('plan:approve', 'device:power');
    assert.equal((await engineer.planDecide({ id: own.id, decision: 'approve' })).status, 'Approved');
    await assertRejected(assistant.planRun({ id: own.id }), 409, 'state_conflict');
  });

  test('are validated like the call itself, and only for operations that can be delegated', async () => {
    const wrong = [
      { operation: 'devicePowerSet', params: { service: '1001', action: 'explode' } },
      { operation: 'devicePowerSet', params: { service: '1001', action: 'off', more: '1' } },
      { operation: 'noSuchOperation', params: {} },
      { operation: 'deviceList', params: {} },
      { operation: 'keyDelete', params: { id: 1 } },
      { operation: 'planDecide', params: { id: 1, decision: 'approve' } },
      { operation: 'webhookCreate', params: { url: 'https://example.com/' } },
      {
        operation: 'mandateCreate',
        params: { holder: 'Ada', iban: 'DE89370400440532013000', consent: '1', language: 'en' },
      },
      { operation: 'toString', params: {} },
      { operation: 'zoneFileImport', params: { domain: 1, zonefile: '', dry_run: true } },
      { operation: 'zoneFileImport', params: { domain: 1, zonefile: 'x'.repeat(70_000) } },
    ];
    for (const plan of wrong) await assertRejected(assistant.planCreate(plan), 400, 'invalid_parameter');
    const absent = { operation: 'zoneDelete', params: { domain: 987654 } };
    await assertRejected(assistant.planCreate(absent), 404, 'not_found');
    const stranger = createClient({ url: app.url, key: app.lab.stranger.key });
    const plan = await assistant.planCreate(powerOff);
    await assertRejected(stranger.planGet({ id: plan.id }), 404, 'not_found');
    const blind = await clientWith('plan:write');
    await assertRejected(blind.planCreate(powerOff), 403, 'scope_missing');
  });

  test('whose call fails report why', async () => {
    await person.zoneCreate({ domain: 'taken.example.com' });
    const plan = await assistant.planCreate({ operation: 'zoneCreate', params: { domain: 'taken.example.com' } });
    await person.planDecide({ id: plan.id, decision: 'approve' });
    await assertRejected(assistant.planRun({ id: plan.id }), 409, 'already_exists');
    const [failed] = await person.planGet({ id: plan.id });
    assert.deepEqual([failed!.status, failed!.outcome], ['Failed', 'already_exists']);
  });

  test('whose call failed do not run later, when nobody expects it any more', async () => {
    const domain = await person.zoneCreate({ domain: 'late.example.com' });
    const plan = await assistant.planCreate({ operation: 'zoneCreate', params: { domain: 'late.example.com' } });
    await person.planDecide({ id: plan.id, decision: 'approve' });
    await assertRejected(assistant.planRun({ id: plan.id }), 409, 'already_exists');
    await person.zoneDelete({ domain });
    await assertRejected(assistant.planRun({ id: plan.id }), 409, 'state_conflict');
    const [failed] = await person.planGet({ id: plan.id });
    assert.deepEqual([failed!.status, failed!.outcome], ['Failed', 'already_exists']);
    const zones = await person.zoneList();
    assert.ok(!zones.some(({ name }) => name === 'late.example.com'));
  });

  test('that are rejected while they start either do not run, or cannot be rejected any more', async () => {
    for (let round = 0; round < 5; round++) {
      await person.devicePowerSet({ service: 1001, action: 'on' });
      const { id } = await assistant.planCreate(powerOff);
      await person.planDecide({ id, decision: 'approve' });
      const [, rejection] = await Promise.allSettled([
        assistant.planRun({ id }),
        person.planDecide({ id, decision: 'refuse' }),
      ]);
      const [plan] = await person.planGet({ id });
      const power = await person.devicePowerGet({ service: 1001 });
      const expected = rejection.status === 'fulfilled' ? ['Refused', 'on'] : ['Done', 'off'];
      assert.deepEqual([plan!.status, power], expected);
    }
  });

  test('whose call was refused before it did anything can run again', async () => {
    const domain = await person.zoneCreate({ domain: 'again.example.com' });
    const params = { domain, record: 'www.again.example.com', type: 'A', content: '192.0.2.1' };
    const plan = await assistant.planCreate({ operation: 'recordCreate', params });
    await person.planDecide({ id: plan.id, decision: 'approve' });
    await person.zoneDelete({ domain });
    await assertRejected(assistant.planRun({ id: plan.id }), 404, 'not_found');
    assert.equal((await person.planGet({ id: plan.id }))[0]!.status, 'Approved');
  });

  test('whose call was interrupted with the process are not reported as done', async () => {
    const { id } = await assistant.planCreate(powerOff);
    await person.planDecide({ id, decision: 'approve' });
    await assistant.planRun({ id });
    // As a process leaves it that ends in between.
    const { queries } = app.parts.store;
    const running = { status: 'Done', outcome: 'idempotency_in_progress' } as const;
    await queries.updateTable('plans').set(running).where('id', '=', Number(id)).execute();
    const unknown = { status: null, body: null, claimed_until: 0 };
    await queries.updateTable('idempotency').set(unknown).where('key', 'like', `% plan ${id}`).execute();
    await assertRejected(assistant.planRun({ id }), 409, 'idempotency_outcome_unknown');
    const [plan] = await person.planGet({ id });
    assert.deepEqual([plan!.status, plan!.outcome], ['Failed', 'idempotency_outcome_unknown']);
  });

  test('cost at least as much as the calls that they run', () => {
    const dearest = Math.max(
      ...Object.values(v2 as Api)
        .filter(isPlannable)
        .map(costOf),
    );
    const dearestKilobyte = Math.max(...Object.values(v2 as Api).map(({ costPerKilobyte = 0 }) => costPerKilobyte));
    assert.ok(costOf(v2.planRun) >= dearest);
    assert.ok(v2.planCreate.costPerKilobyte >= dearestKilobyte);
  });

  test('are created over MCP by calling a destructive operation', async () => {
    await person.devicePowerSet({ service: 1001, action: 'on' });
    const changing = { url: app.url, key: (await person.keyCreate({ name: 'mcp', scopes: ['all'] })).key };
    const off = { name: 'devicePowerSet', arguments: { service: 1001, action: 'off' } };
    const [planned] = await mcp(changing, ['--allow-changes'], ['tools/call', off]);
    const { plan } = JSON.parse(textOf(planned)) as { plan: Plan };
    assert.deepEqual([plan.status, plan.operation], ['Pending', 'devicePowerSet']);
    assert.equal(await person.devicePowerGet({ service: 1001 }), 'on');
    const run = { name: 'planRun', arguments: { id: plan.id } };
    const [early] = await mcp(changing, ['--allow-changes'], ['tools/call', run]);
    assert.equal(early!.result!.isError, true);
    assert.match(textOf(early), /state_conflict/);

    const approval = await runCli({ url: app.url, key: app.lab.customer.key }, ['plan', 'approve', plan.id]);
    assert.equal(approval.code, 7);
    assert.match(approval.err, /service 1001, dedicated, .*action: off/);
    const decided = await runCli({ url: app.url, key: app.lab.customer.key }, ['plan', 'approve', plan.id, '--yes']);
    assert.deepEqual([decided.code, decided.out], [0, 'Plan approved.\n']);
    const [done] = await mcp(changing, ['--allow-changes'], ['tools/call', run]);
    assert.equal(textOf(done), 'Chassis Power Control: Down/Off');
    assert.equal(await person.devicePowerGet({ service: 1001 }), 'off');
  });

  test('are not needed over MCP for reversible changes, if changes are allowed at all', async () => {
    const server = { url: app.url, key: app.lab.customer.key };
    const on = { name: 'devicePowerSet', arguments: { service: '1001', action: 'on' } };
    const zones = { name: 'zoneList', arguments: {} };
    const [done] = await mcp(server, ['--allow-changes'], ['tools/call', on]);
    assert.equal(textOf(done), 'Chassis Power Control: Up/On');
    const [rejected, read] = await mcp(server, [], ['tools/call', on], ['tools/call', zones]);
    assert.equal(rejected!.error!.code, -32_602);
    assert.ok(Array.isArray(JSON.parse(textOf(read))));
  });

  test('cannot be bypassed by another spelling of a destructive operation', async () => {
    const domain = await person.zoneCreate({ domain: 'spelled.example.com' });
    const zonefile = '@ NS ns1.example.net.';
    for (const dry_run of ['false', 0, false, undefined, '0']) {
      const call = { name: 'zoneFileImport', arguments: { domain, zonefile, dry_run } };
      const [planned] = await mcp(
        { url: app.url, key: app.lab.customer.key },
        ['--allow-changes'],
        ['tools/call', call],
      );
      assert.match(textOf(planned), /"status":"Pending"/, String(dry_run));
    }
  });

  test('are kept up to a number, and as long as they wait', async () => {
    const { queries } = app.parts.store;
    const [waiting, decided] = [await assistant.planCreate(powerOff), await assistant.planCreate(powerOff)];
    await person.planDecide({ id: decided.id, decision: 'refuse' });
    const { id: _, ...row } = await queries
      .selectFrom('plans')
      .selectAll()
      .where('id', '=', Number(decided.id))
      .executeTakeFirstOrThrow();
    await app.parts.store.transaction(async (adding) => {
      for (let count = 0; count < 1000; count++) await planInsert(adding, row);
    });
    await assistant.planCreate(powerOff);
    assert.equal((await person.planGet({ id: waiting.id }))[0]!.status, 'Pending');
    await assertRejected(person.planGet({ id: decided.id }), 404, 'not_found');
  });

  test('are reported as events', async () => {
    const types = (await person.eventLogGet({ type: ['plan.created', 'plan.decided'] })).events.map(({ type }) => type);
    assert.ok(types.includes('plan.created') && types.includes('plan.decided'), String(types));
  });
});

describe("an assistant's tools", () => {
  const nowhere = { url: 'http://127.0.0.1:9', key: 'hy_none' };
  const listPlans = async (...args: string[]): Promise<readonly ListedPlan[]> =>
    (await mcp(nowhere, args, ['tools/list', {}]))[0]!.result!.tools!;

  test('are read-only unless changes are allowed, and never include what grants access', async () => {
    const reading = await listPlans();
    assert.ok(reading.length > 20);
    assert.ok(reading.every(({ annotations }) => annotations.readOnlyHint));
    const all = await listPlans('--allow-changes');
    const names = new Set(all.map(({ name }) => name));
    for (const name of ['devicePowerSet', 'zoneDelete', 'deviceReloadStart', 'planRun', 'recordCreate'])
      assert.ok(names.has(name), name);
    for (const name of [
      'keyCreate',
      'keyGet',
      'sessionCreate',
      'contactSettings',
      'webhookCreate',
      'devicePasswordCollect',
      'deviceConsoleOpen',
      'deviceConsoleTicket',
      'deviceConsoleWeb',
      'sshKeyCreate',
      'signOnDomainAdd',
      'mandateCreate',
      'accountExportFile',
      'planDecide',
      'planCreate',
    ])
      assert.ok(!names.has(name), name);
    assert.deepEqual(all.find(({ name }) => name === 'devicePowerSet')!.inputSchema.required, ['service', 'action']);
  });

  test('are served in JSON-RPC, whatever the input', async () => {
    const lines = [
      'not json',
      '[]',
      '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":"two","method":"ping"}',
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      '{"jsonrpc":"2.0","id":3,"method":"toString"}',
      '{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}',
      '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"zoneList","arguments":[]}}',
    ];
    const { out } = await runCli(nowhere, ['mcp'], { input: `${lines.join('\n')}\n` });
    const responses = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as McpResponse & { result?: { protocolVersion?: string } });
    const outcome = (id: unknown) => {
      const response = responses.find((candidate) => candidate.id === id);
      return response?.error?.code ?? response?.result;
    };
    assert.equal(responses.filter(({ id }) => id === null).length, 2);
    assert.deepEqual([outcome(1), outcome('two'), outcome(3), outcome(5)], [-32_600, {}, -32_601, -32_602]);
    assert.equal((outcome(4) as { protocolVersion: string }).protocolVersion, '2025-06-18');
  });

  test('are available over the standard streams of a program that ends with its input', async () => {
    const program = join(import.meta.dirname, '..', '..', 'bin', 'hostyard.js');
    const env = { PATH: process.env['PATH'], HOSTYARD_URL: nowhere.url, HOSTYARD_KEY: nowhere.key };
    const child = spawn(process.execPath, [program, 'mcp'], { env, stdio: ['pipe', 'pipe', 'pipe'], timeout: 120_000 });
    child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    const ended = new Promise((resolve) => child.once('close', resolve));
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    assert.deepEqual([code, err, out], [0, '', '{"jsonrpc":"2.0","id":1,"result":{}}\n']);
  });
});
