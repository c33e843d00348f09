// Plans, on both engines: an assistant says what it is going to do, a person agrees or not, and what was agreed to is done once.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Scope } from '#contract/scopes.ts';
import { createClient, HostyardError, type Client } from '#sdk/v2.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';

async function refusal(call: Promise<unknown>): Promise<[number, string]> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof HostyardError, `was not refused: ${String(error)}`);
  return [error.status, error.code];
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

    test('are told of as events', async () => {
      const types = (await person.eventLogGet({ type: ['plan.created', 'plan.decided'] })).events.map(
        ({ type }) => type,
      );
      assert.ok(types.includes('plan.created') && types.includes('plan.decided'), String(types));
    });
  });
}
