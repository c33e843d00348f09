// Calls every reading endpoint of the customer APIs for a service that was terminated and whose server, port and address belong to
// another customer now: what the former customer gets is the history of their own time, and nothing that came after. The contract
// says which endpoints read history, so a new one is covered the day it is declared.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { addTraffic } from '#equipment/traffic.ts';
import { effectOf, isReading } from '#contract/endpoint.ts';
import { sortableAddress } from '#lib/address-ranges.ts';
import { parseAddress } from '#lib/addresses.ts';
import type { AccountId } from '#store/account-id.ts';
import { attackLogsPut, attackRecordsPut, attacksInsert } from '#store/network/attacks.ts';
import { holdingBegin } from '#store/network/netblock-holdings.ts';
import { netblocksPut } from '#store/network/netblocks.ts';
import { portHoldingsSync } from '#store/network/port-holdings.ts';
import { portDescribe, portsOfService } from '#store/network/switches.ts';
import { absentFixtures, inputs } from '#test/support/account-fixtures.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import type { Example } from '#test/support/examples.ts';
import { giveServer } from '#test/support/handover.ts';
import { deviceOf } from '#test/support/devices.ts';
import { operatorResult } from '#test/support/operators.ts';
import { requestResult } from '#test/support/request.ts';
import { resourceOf } from '#test/support/resource-parameters.ts';
import { callRoute, routes, type Route } from '#test/support/routes.ts';
import { until } from '#test/support/until.ts';

/** Traces of the next customer, as text and as a figure. */
const canary = 'canary';
const canaryFigure = 987_654_321;
const ownFigure = 123_456_789;
const quarterHourMs = 900_000;
/** Without these, a call covers the last 24 hours. */
const spanNames = new Set(['start', 'stop', 'end']);

const reads = routes.filter(
  ({ operation, endpoint }) =>
    operation.api !== 'operator' &&
    endpoint.access !== 'public' &&
    (effectOf(endpoint) === 'none' || endpoint.reading !== undefined) &&
    Object.entries(endpoint.params).some(([name, schema]) =>
      ['service', 'server', 'machine'].includes(resourceOf(endpoint, name, schema) ?? ''),
    ),
);

describeOnEngines('the former customer of a terminated service', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let endedAt: number;

  before(async () => {
    app = await openApp({ trustedProxies: ['127.0.0.1'], worksOffJobs: true });
    const { store, clock, queue } = app.parts;
    const { queries } = store;
    const { lab } = app;
    const account = Number(lab.customer.account) as AccountId;
    const address = sortableAddress(parseAddress(lab.dedicated.ips[0]!)!);
    const [port] = await portsOfService(queries, account, Number(lab.dedicated.service));
    app.pass(4 * quarterHourMs);
    await addSamples(port!.id, ownFigure);
    const [attack] = await attacksInsert(queries, [
      {
        detector: 'sweep',
        attack: 'long',
        address,
        account_id: account,
        service_id: Number(lab.dedicated.service),
        device: lab.dedicated.server,
        network: '',
        started_at: clock.now(),
        seen_at: clock.now(),
      },
    ]);
    await addAttackData(attack!.id, ownFigure);

    for (const { service } of [lab.dedicated, lab.vps]) {
      const { hostname } = await operatorResult<{ hostname: string }>(app, 'GET', `service/${service}`);
      await operatorResult(app, 'DELETE', 'service', { id: service, hostname, how: 'nothing' });
      const status = async () => (await operatorResult<{ status: string }>(app, 'GET', `service/${service}`)).status;
      await until(async () => (await status()) === 'Terminated');
    }
    endedAt = clock.now();
    // The server would be erased for minutes; here it changes hands at once.
    await queue.stop();
    app.pass(quarterHourMs);
    await queries.updateTable('servers').set({ state: 'available' }).where('name', '=', lab.dedicated.server).execute();
    const next = await giveServer(deviceOf(app));
    const nextAccount = Number(lab.stranger.account) as AccountId;
    const block = {
      cidr: `${lab.dedicated.ips[0]!}/32`,
      first: address,
      last: address,
      account_id: nextAccount,
      service_id: Number(next.service),
    };
    await netblocksPut(queries, [{ ...block, pool: null, gateway: null }]);
    await holdingBegin(queries, { ...block, service_id: Number(next.service), account_id: nextAccount }, clock.now());
    await queries
      .updateTable('ports')
      .set({ service_id: Number(next.service) })
      .where('id', '=', port!.id)
      .execute();
    await portHoldingsSync(queries, clock.now());
    app.pass(quarterHourMs);
    await portDescribe(queries, port!.id, canary, canaryFigure);
    await addSamples(port!.id, canaryFigure);
    await addAttackData(attack!.id, canaryFigure);
    await requestResult(app, 'PUT', '/v2/dns/reverse', {
      key: next.key,
      params: { ip: lab.dedicated.ips[0]!, record: `${canary}.example.net` },
    });
    await requestResult(app, 'POST', '/v2/device/hostname', {
      key: next.key,
      params: { service: next.service, hostname: `${canary}.example.net` },
    });
    app.pass(quarterHourMs);
  });

  async function addSamples(port: number, bytes: number): Promise<void> {
    const start = Math.floor(app.parts.clock.now() / 300_000) * 300 - 300;
    await addTraffic(app.parts.store.queries, port, [{ start, inBytes: bytes, outBytes: bytes, marks: 0 }]);
  }

  async function addAttackData(attack: number, figure: number): Promise<void> {
    const { store, clock } = app.parts;
    const at = clock.now();
    const figures = JSON.stringify({ packets: figure });
    await attackLogsPut(store.queries, [{ attack_id: attack, at, figures }]);
    const rule = { direction: 'Incoming', unit: 'packets/s', protocol: 'UDP', filters: '', sensor_type: '' } as const;
    const record = { attack_id: attack, ...rule, value: figure, sensor_interface: '', first_at: at, last_at: at };
    await attackRecordsPut(store.queries, [record]);
  }

  function inputsOf(route: Route, service: string): Example[] {
    const { lab } = app;
    const ofService = { service, server: lab.dedicated.server, vmid: lab.vps.vmid };
    const named = Object.entries(ofService).filter(([name]) => name in route.endpoint.params);
    return inputs(route, absentFixtures, lab)
      .map((input) => Object.entries(input).filter(([name]) => !spanNames.has(name)))
      .map((input) => Object.fromEntries([...input, ...named]))
      .filter((input) => effectOf(route.endpoint) === 'none' || isReading(route.endpoint, input));
  }

  const callAs = (route: Route, input: Example) =>
    callRoute(app, route, input, route.method === 'GET' ? 'query' : 'json', {
      key: app.lab.customer.key,
      headers: { accept: 'application/problem+json' },
    });

  test('reads nothing of the next customer, and learns that the service is terminated', async () => {
    assert.ok(reads.length > 20);
    const problems: string[] = [];
    for (const route of reads)
      for (const service of [app.lab.dedicated.service, app.lab.vps.service])
        for (const input of inputsOf(route, service)) {
          const { status, text, body } = await callAs(route, input);
          const isLeak = text.toLowerCase().includes(canary) || text.includes(String(canaryFigure));
          const isMisleading = /virtual machine|Pending/.test(text);
          const expected = ['service_terminated', 'not_found', 'invalid_parameter'];
          const isOther = status >= 400 && !expected.includes(String(body['code']));
          const isNamed = 'service' in input || 'vmid' in input;
          const isMissing = isNamed && route.endpoint.history !== true && body['code'] !== 'service_terminated';
          if (isLeak || isMisleading || isOther || isMissing)
            problems.push(`${route.label} ${service}: ${status} ${text.slice(0, 300)}`);
        }
    assert.deepEqual(problems, []);
  });

  test('still reads the history until the termination', async () => {
    const { key } = app.lab.customer;
    const { service } = app.lab.dedicated;
    const samples = await requestResult<{ start: string; inbytes: string; marks: string }[]>(
      app,
      'GET',
      `/v2/network/traffic/${service}`,
      { key },
    );
    assert.deepEqual(
      samples.filter(({ inbytes }) => inbytes !== '0').map(({ inbytes }) => inbytes),
      [String(ownFigure)],
    );
    const later = samples.filter(({ start }) => Number(start) * 1000 >= endedAt);
    assert.ok(later.length >= 6);
    assert.ok(later.every(({ inbytes, marks }) => inbytes === '0' && marks.includes('missing')));
    const attacks = await requestResult<Record<string, { active: string; end: string; logs: { results: number } }>>(
      app,
      'GET',
      `/v2/network/events/${service}`,
      { key },
    );
    const [attack] = Object.values(attacks);
    assert.deepEqual([attack?.active, attack?.logs.results], ['0', 1]);
    assert.ok(Number(attack?.end) * 1000 <= endedAt);
  });

  test('leaves nothing of their time to the next customer', async () => {
    const { key } = app.lab.stranger;
    const traffic = await requestResult<{ inbytes: string }[]>(app, 'GET', '/v2/network/traffic/9001', { key });
    const figures = new Set(traffic.map(({ inbytes }) => inbytes));
    assert.deepEqual([...figures].toSorted(), ['0', String(canaryFigure)]);
  });
});
