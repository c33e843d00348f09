// Plans, on both engines: an assistant says what it is going to do, a person agrees or not, and what was agreed to is done once.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import type { Scope } from '#contract/scopes.ts';
import { createClient, HostyardError, type Client, type Plan } from '#sdk/v2.ts';
import { hostyard } from '#test/support/cli.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';

async function refusal(call: Promise<unknown>): Promise<[number, string]> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof HostyardError, `was not refused: ${String(error)}`);
  return [error.status, error.code];
}

interface Answered {
  readonly id: number;
  readonly result?: {
    readonly isError?: boolean;
    readonly content?: readonly { text: string }[];
    readonly tools?: readonly Listed[];
  };
  readonly error?: { readonly code: number };
}
interface Listed {
  readonly name: string;
  readonly inputSchema: { readonly required?: readonly string[] };
  readonly annotations: { readonly readOnlyHint: boolean };
}

/** What `hostyard mcp` answers to these requests, in their order. */
async function mcp(
  where: { url: string; key: string },
  args: readonly string[],
  ...requests: [string, object][]
): Promise<Answered[]> {
  const begin = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18' } };
  const messages = requests.map(([method, params], index) => ({ jsonrpc: '2.0', id: index + 1, method, params }));
  const input = [begin, ...messages].map((message) => `${JSON.stringify(message)}\n`).join('');
  const { code, out, err } = await hostyard(where, ['mcp', ...args], { input });
  assert.deepEqual([code, err], [0, '']);
  const answers = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Answered);
  return messages.map(({ id }) => answers.find((answer) => answer.id === id)!);
}
function textOf(answer: Answered | undefined): string {
  const text = answer?.result?.content?.[0]?.text;
  assert.ok(text !== undefined, JSON.stringify(answer));
  return text;
}

for (const { engine, suite, start } of engines) {
  describe(`plans on ${engine}`, suite, () => {
    let running: Awaited<ReturnType<typeof start>>;
    let yard: TestYard;
    /** Somebody who may do everything. */
    let person: Client;
    /** Somebody who sees all and changes nothing by himself. */
    let assistant: Client;
    before(async () => {
      running = await start();
      yard = await openTestYard(await running.newDatabase());
      person = createClient({ url: yard.url, key: yard.lab.customer.key });
      assistant = await clientWith('read-only', 'plan:write');
    });
    after(async () => {
      await yard?.[Symbol.asyncDispose]();
      await running?.[Symbol.asyncDispose]();
    });
    async function clientWith(...scopes: (Scope | 'read-only')[]): Promise<Client> {
      const { key } = await person.keyCreate({ name: 'test', scopes });
      return createClient({ url: yard.url, key });
    }
    const powerOff = { operation: 'devicePowerSet', params: { service: '1001', action: 'off' } };

    test('let an assistant switch a server off that it could not by itself, once a person agreed', async () => {
      await person.devicePowerSet({ service: 1001, action: 'on' });
      assert.deepEqual(await refusal(assistant.devicePowerSet({ service: 1001, action: 'off' })), [
        403,
        'scope_missing',
      ]);
      const plan = await assistant.planCreate(powerOff);
      assert.equal(plan.status, 'Pending');
      assert.equal(plan.destroys, true);
      assert.deepEqual(plan.params, { service: 1001, action: 'off' });
      assert.match(plan.hits[0]!, /^service 1001, dedicated, .*dc01r01ds01, .*203\.0\.113\.10$/);
      assert.equal(plan.hits[1], 'action: off');
      assert.deepEqual(await refusal(assistant.planRun({ id: plan.id })), [409, 'state_conflict']);
      assert.deepEqual(await refusal(assistant.planDecide({ id: plan.id, decision: 'approve' })), [
        403,
        'scope_missing',
      ]);

      const approved = await person.planDecide({ id: plan.id, decision: 'approve' });
      assert.equal(approved.status, 'Approved');
      assert.equal(await person.devicePowerGet({ service: 1001 }), 'on');
      const [first, again] = [await assistant.planRun({ id: plan.id }), await assistant.planRun({ id: plan.id })];
      assert.deepEqual([first, again], ['Chassis Power Control: Down/Off', 'Chassis Power Control: Down/Off']);
      assert.equal(await person.devicePowerGet({ service: 1001 }), 'off');
      const [done] = await person.planGet({ id: plan.id });
      assert.deepEqual([done!.status, done!.outcome], ['Done', 'success']);

      // Switched on since, it stays on: what was carried out is not carried out again.
      await person.devicePowerSet({ service: 1001, action: 'on' });
      assert.equal(await assistant.planRun({ id: plan.id }), 'Chassis Power Control: Down/Off');
      assert.equal(await person.devicePowerGet({ service: 1001 }), 'on');
      const entries = (await person.auditGet()).filter(({ operation }) => operation === 'v2.devicePowerSet');
      assert.equal(
        entries.filter(({ target, outcome }) => /action=off/.test(target) && outcome === 'success').length,
        1,
      );
    });

    test('that two ask for at the same time are carried out once', async () => {
      const plan = await assistant.planCreate({ operation: 'zoneCreate', params: { domain: 'twice.example.com' } });
      await person.planDecide({ id: plan.id, decision: 'approve' });
      const answers = await Promise.all([1, 2, 3].map(() => assistant.planRun({ id: plan.id })));
      assert.equal(new Set(answers).size, 1);
      const zones = (await person.zoneList()).filter(({ name }) => name === 'twice.example.com');
      assert.equal(zones.length, 1);
    });

    test('are refused, also after they were approved, and not carried out then', async () => {
      const plan = await assistant.planCreate(powerOff);
      await person.planDecide({ id: plan.id, decision: 'approve' });
      await person.planDecide({ id: plan.id, decision: 'refuse' });
      assert.deepEqual(await refusal(assistant.planRun({ id: plan.id })), [409, 'state_conflict']);
      assert.deepEqual(await refusal(person.planDecide({ id: plan.id, decision: 'approve' })), [409, 'state_conflict']);
    });

    test('expire when nobody decides, and when they are not carried out', async () => {
      const forgotten = await assistant.planCreate(powerOff);
      const late = await assistant.planCreate(powerOff);
      yard.pass(14 * 60_000);
      await person.planDecide({ id: late.id, decision: 'approve' });
      yard.pass(2 * 60_000);
      assert.equal((await person.planGet({ id: forgotten.id }))[0]!.status, 'Expired');
      assert.deepEqual(await refusal(person.planDecide({ id: forgotten.id, decision: 'approve' })), [
        409,
        'state_conflict',
      ]);
      assert.equal((await person.planGet({ id: late.id }))[0]!.status, 'Approved');
      yard.pass(14 * 60_000);
      assert.deepEqual(await refusal(assistant.planRun({ id: late.id })), [409, 'state_conflict']);
    });

    test('are approved only by another key that could do the same itself', async () => {
      const own = await person.planCreate(powerOff);
      assert.deepEqual(await refusal(person.planDecide({ id: own.id, decision: 'approve' })), [403, 'scope_missing']);
      const clerk = await clientWith('plan:approve', 'plan:read');
      assert.deepEqual(await refusal(clerk.planDecide({ id: own.id, decision: 'approve' })), [403, 'scope_missing']);
      const engineer = await clientWith('plan:approve', 'device:power');
      assert.equal((await engineer.planDecide({ id: own.id, decision: 'approve' })).status, 'Approved');
      assert.deepEqual(await refusal(assistant.planRun({ id: own.id })), [409, 'state_conflict']);
    });

    test('are checked as the call itself, and are of what can be left to others', async () => {
      const wrong = [
        { operation: 'devicePowerSet', params: { service: '1001', action: 'explode' } },
        { operation: 'devicePowerSet', params: { service: '1001', action: 'off', more: '1' } },
        { operation: 'noSuchOperation', params: {} },
        { operation: 'deviceList', params: {} },
        { operation: 'keyDelete', params: { id: 1 } },
        { operation: 'planDecide', params: { id: 1, decision: 'approve' } },
        { operation: 'webhookCreate', params: { url: 'https://example.com/' } },
        { operation: 'toString', params: {} },
        { operation: 'zoneFileImport', params: { domain: 1, zonefile: 'x'.repeat(70_000) } },
      ];
      for (const plan of wrong) assert.deepEqual(await refusal(assistant.planCreate(plan)), [400, 'invalid_parameter']);
      const absent = { operation: 'zoneDelete', params: { domain: 987654 } };
      assert.deepEqual(await refusal(assistant.planCreate(absent)), [404, 'not_found']);
      const stranger = createClient({ url: yard.url, key: yard.lab.stranger.key });
      const plan = await assistant.planCreate(powerOff);
      assert.deepEqual(await refusal(stranger.planGet({ id: plan.id })), [404, 'not_found']);
      const blind = await clientWith('plan:write');
      assert.deepEqual(await refusal(blind.planCreate(powerOff)), [403, 'scope_missing']);
    });

    test('whose call is refused tell why, and that they failed', async () => {
      await person.zoneCreate({ domain: 'taken.example.com' });
      const plan = await assistant.planCreate({ operation: 'zoneCreate', params: { domain: 'taken.example.com' } });
      await person.planDecide({ id: plan.id, decision: 'approve' });
      assert.deepEqual(await refusal(assistant.planRun({ id: plan.id })), [409, 'already_exists']);
      const [failed] = await person.planGet({ id: plan.id });
      assert.deepEqual([failed!.status, failed!.outcome], ['Failed', 'already_exists']);
    });

    test('are what an assistant makes over MCP by calling what destroys', async () => {
      await person.devicePowerSet({ service: 1001, action: 'on' });
      const changing = { url: yard.url, key: (await person.keyCreate({ name: 'mcp', scopes: ['all'] })).key };
      const off = { name: 'devicePowerSet', arguments: { service: 1001, action: 'off' } };
      const [made] = await mcp(changing, ['--allow-changes'], ['tools/call', off]);
      const { plan } = JSON.parse(textOf(made)) as { plan: Plan };
      assert.deepEqual([plan.status, plan.operation], ['Pending', 'devicePowerSet']);
      assert.equal(await person.devicePowerGet({ service: 1001 }), 'on');
      const run = { name: 'planRun', arguments: { id: plan.id } };
      const [early] = await mcp(changing, ['--allow-changes'], ['tools/call', run]);
      assert.equal(early!.result!.isError, true);
      assert.match(textOf(early), /state_conflict/);

      const asked = await hostyard({ url: yard.url, key: yard.lab.customer.key }, ['plan', 'approve', plan.id]);
      assert.equal(asked.code, 7);
      assert.match(asked.err, /service 1001, dedicated, .*action: off/);
      const decided = await hostyard({ url: yard.url, key: yard.lab.customer.key }, [
        'plan',
        'approve',
        plan.id,
        '--yes',
      ]);
      assert.deepEqual([decided.code, decided.out], [0, 'The plan is approved.\n']);
      const [done] = await mcp(changing, ['--allow-changes'], ['tools/call', run]);
      assert.equal(textOf(done), 'Chassis Power Control: Down/Off');
      assert.equal(await person.devicePowerGet({ service: 1001 }), 'off');
    });

    test('are not needed over MCP for what can be brought back, where changes are allowed at all', async () => {
      const where = { url: yard.url, key: yard.lab.customer.key };
      const on = { name: 'devicePowerSet', arguments: { service: '1001', action: 'on' } };
      const zones = { name: 'zoneList', arguments: {} };
      const [done] = await mcp(where, ['--allow-changes'], ['tools/call', on]);
      assert.equal(textOf(done), 'Chassis Power Control: Up/On');
      const [refused, read] = await mcp(where, [], ['tools/call', on], ['tools/call', zones]);
      assert.equal(refused!.error!.code, -32_602);
      assert.ok(Array.isArray(JSON.parse(textOf(read))));
    });

    test('cannot be got round by another spelling of what destroys', async () => {
      const domain = await person.zoneCreate({ domain: 'spelled.example.com' });
      const zonefile = '@ NS ns1.example.net.';
      for (const dry_run of ['false', 0, false, undefined, '0']) {
        const call = { name: 'zoneFileImport', arguments: { domain, zonefile, dry_run } };
        const [made] = await mcp(
          { url: yard.url, key: yard.lab.customer.key },
          ['--allow-changes'],
          ['tools/call', call],
        );
        assert.match(textOf(made), /"status":"Pending"/, String(dry_run));
      }
    });

    test('are told of as events', async () => {
      const types = (await person.eventLogGet({ type: ['plan.created', 'plan.decided'] })).events.map(
        ({ type }) => type,
      );
      assert.ok(types.includes('plan.created') && types.includes('plan.decided'), String(types));
    });
  });
}

describe('the tools of an assistant', () => {
  const nowhere = { url: 'http://127.0.0.1:9', key: 'hy_none' };
  const listed = async (...args: string[]): Promise<readonly Listed[]> =>
    (await mcp(nowhere, args, ['tools/list', {}]))[0]!.result!.tools!;

  test('only read, unless changes are allowed; what hands out access is never among them', async () => {
    const reading = await listed();
    assert.ok(reading.length > 20);
    assert.ok(reading.every(({ annotations }) => annotations.readOnlyHint));
    const all = await listed('--allow-changes');
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
      'planDecide',
      'planCreate',
    ])
      assert.ok(!names.has(name), name);
    assert.deepEqual(all.find(({ name }) => name === 'devicePowerSet')!.inputSchema.required, ['service', 'action']);
  });

  test('are told of by a server that keeps to JSON-RPC, whatever it is sent', async () => {
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
    const { out } = await hostyard(nowhere, ['mcp'], { input: `${lines.join('\n')}\n` });
    const answers = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Answered & { result?: { protocolVersion?: string } });
    const outcome = (id: unknown) => {
      const answer = answers.find((one) => one.id === id);
      return answer?.error?.code ?? answer?.result;
    };
    assert.equal(answers.filter(({ id }) => id === null).length, 2);
    assert.deepEqual([outcome(1), outcome('two'), outcome(3), outcome(5)], [-32_600, {}, -32_601, -32_602]);
    assert.equal((outcome(4) as { protocolVersion: string }).protocolVersion, '2025-06-18');
  });

  test('come over the standard streams of a program that ends with its input', async () => {
    const program = join(import.meta.dirname, '..', '..', 'bin', 'hostyard.js');
    const env = { PATH: process.env['PATH'], HOSTYARD_URL: nowhere.url, HOSTYARD_KEY: nowhere.key };
    const child = spawn(process.execPath, [program, 'mcp'], { env, stdio: ['pipe', 'pipe', 'pipe'], timeout: 120_000 });
    child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    const ended = new Promise((resolve) => child.once('close', resolve));
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    assert.deepEqual([code, err, out], [0, '', '{"jsonrpc":"2.0","id":1,"result":{}}\n']);
  });
});
