// Power and next boot of a dedicated server through both APIs, checked at the server's chassis.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { pino } from 'pino';
import { openDevice, assertRejected, assertResult, type TestDevice } from '#test/support/devices.ts';
import { applySite } from '#app/site/apply.ts';
import { loadStoredSite } from '#app/site/export.ts';
import { runChecks } from '#app/doctor/check.ts';
import { equipmentChecks } from '#app/doctor/equipment-checks.ts';
import type { SiteServer } from '#contract/site/site.ts';
import type { SiteWaits } from '#contract/site/waits.ts';
import { powerSync } from '#reconcilers/power-sync.ts';
import { serverFind } from '#store/devices/servers.ts';
import { startTestPdu, type TestPdu } from '#test/support/pdu.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

const ran = ({ bmc }: TestDevice): string[] =>
  bmc.chassis.events.map(({ text }) => text).filter((text) => text.startsWith('control'));
const powerRow = async ({ app, server }: TestDevice) => {
  const row = (await serverFind(app.parts.store.queries, server))!;
  return { state: row.power_state, source: row.power_source, error: row.power_error, at: row.power_seen_at };
};

describe('the power of a dedicated server', { concurrency: 3 }, () => {
  it('is read from the server itself', async () => {
    await using device = await openDevice();
    assertResult(await device.v2('GET', 'power'), 'on');
    assertResult(await device.legacy('/ipmi/power', { action: 'checkOn' }), 'true');
    assertResult(await device.legacy('/ipmi/power', { action: 'checkOff' }), 'false');
    device.bmc.chassis.turnOff();
    assertResult(await device.v2('GET', 'power'), 'off');
    assertResult(await device.legacy('/ipmi/power', { action: 'checkOn' }), 'false');
    assertResult(await device.legacy('/ipmi/power', { action: 'checkOff' }), 'true');
    const { state, source, at } = await powerRow(device);
    assert.deepEqual([state, source, typeof at], ['off', 'query', 'number']);
  });

  it('is changed with the documented result texts, and left alone if it is already as requested', async () => {
    await using device = await openDevice();
    assertResult(await device.v2('POST', 'power', { action: 'on' }), 'Chassis Power Control: Up/On');
    assert.deepEqual(ran(device), []);
    assertResult(await device.v2('POST', 'power', { action: 'off' }), 'Chassis Power Control: Down/Off');
    assertResult(await device.v2('POST', 'power', { action: 'off' }), 'Chassis Power Control: Down/Off');
    assertResult(await device.legacy('/ipmi/power', { action: 'on' }), 'Chassis Power Control: Up/On');
    assertResult(await device.v2('POST', 'power', { action: 'reboot' }), 'Chassis Power Control: Reset');
    assertResult(await device.legacy('/ipmi/power', { action: 'reset' }), 'Chassis Power Control: Reset');
    assertResult(await device.legacy('/ipmi/power', { action: 'off' }), 'Chassis Power Control: Down/Off');
    assertResult(await device.legacy('/ipmi/power', { action: 'on' }), 'Chassis Power Control: Up/On');
    assertResult(await device.legacy('/ipmi/power', { action: 'offHard' }), 'Chassis Power Control: Down/Off');
    assert.deepEqual(
      ran(device).map((text) => text.replace('control ', '')),
      ['off', 'on', 'reset', 'reset', 'off', 'on', 'off'],
    );
    const { state, source } = await powerRow(device);
    assert.deepEqual([state, source], ['off', 'command']);
  });

  it('is cycled, which ends in on, also from off', async () => {
    await using device = await openDevice();
    assertResult(await device.v2('POST', 'power', { action: 'cycle' }), 'Chassis Power Control: Cycle');
    assert.deepEqual(ran(device), ['control off', 'control on']);
    device.bmc.chassis.turnOff();
    assertResult(await device.v2('POST', 'power', { action: 'cycle' }), 'Chassis Power Control: Cycle');
    assert.equal(device.bmc.chassis.power, 'on');
    assert.deepEqual(ran(device), ['control off', 'control on', 'control on']);
  });

  it('is rebooted the legacy way: off, five seconds, on, also from off', async () => {
    await using device = await openDevice();
    assertResult(await device.legacy('/ipmi/power', { action: 'reboot' }), 'Chassis Power Control: Cycle');
    const [off, on] = device.bmc.chassis.events.filter(({ text }) => text.startsWith('power '));
    assert.deepEqual([off!.text, on!.text], ['power off', 'power on']);
    assert.ok(on!.atMs - off!.atMs >= 5000, `${on!.atMs - off!.atMs} ms`);
    device.bmc.chassis.turnOff();
    assertResult(await device.legacy('/ipmi/power', { action: 'reboot' }), 'Chassis Power Control: Cycle');
    assert.equal(device.bmc.chassis.power, 'on');
  });

  it('cannot be reset while off', async () => {
    await using device = await openDevice();
    device.bmc.chassis.turnOff();
    const text = 'The device is off: there is nothing to reset.';
    assert.equal(assertRejected(await device.v2('POST', 'power', { action: 'reboot' }), 409, 'state_conflict'), text);
    assert.equal(assertRejected(await device.legacy('/ipmi/power', { action: 'reset' }), 409), text);
    assert.deepEqual([device.bmc.chassis.power, ran(device)], ['off', []]);
  });

  it('is left to the operating system by a soft shutdown, whatever that does', async () => {
    await using device = await openDevice();
    device.bmc.setMalfunctions({ ignoresSoftShutdown: true });
    assertResult(await device.legacy('/ipmi/power', { action: 'offSoft' }), 'Chassis Power Control: Soft');
    assert.equal(device.bmc.chassis.counts.soft, 1);
    assertResult(await device.v2('GET', 'power'), 'on');
    device.bmc.setMalfunctions({});
    assertResult(await device.legacy('/ipmi/power', { action: 'offSoft' }), 'Chassis Power Control: Soft');
    await until(() => device.bmc.chassis.power === 'off');
    assertResult(await device.v2('GET', 'power'), 'off');
    assertResult(await device.legacy('/ipmi/power', { action: 'offSoft' }), 'Chassis Power Control: Soft');
    assert.equal(device.bmc.chassis.counts.soft, 2, 'nothing responds while it is off');
  });

  it('does not count as changed before the BMC shows it', async () => {
    await using device = await openDevice();
    assertResult(await device.v2('GET', 'power'), 'on');
    device.bmc.setMalfunctions({ reportsPower: 'on' });
    assertRejected(await device.v2('POST', 'power', { action: 'off' }), 502, 'bmc_error');
    assert.equal((await powerRow(device)).state, 'on');
  });

  it('is logged with its request and the reason if it could not be changed', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = pino({ level: 'error' }, { write: (line) => void lines.push(JSON.parse(line)) });
    await using device = await openDevice({ log });
    device.bmc.setMalfunctions({ reportsPower: 'on' });
    const refused = await device.v2('POST', 'power', { action: 'off' });
    assertRejected(refused, 502, 'bmc_error');
    const [line, ...others] = lines.filter(({ msg }) => msg === 'request failed');
    assert.deepEqual([others, line!['code']], [[], 'bmc_error']);
    assert.equal(line!['requestId'], refused.headers.get('x-request-id'));
    assert.match(JSON.stringify(line!['err']), /message/);
  });

  it('emits an event for every change, with its source, and for nothing else', async () => {
    await using device = await openDevice();
    const sync = powerSync(device.app.parts);
    const look = async () => {
      device.app.pass(61_000);
      await sync.run(new AbortController().signal);
    };
    await look();
    assert.deepEqual(await device.powerEvents(), [], 'the first observation is not a change');
    await device.v2('POST', 'power', { action: 'on' });
    await device.v2('POST', 'power', { action: 'off' });
    device.bmc.chassis.turnOn();
    await look();
    await look();
    device.bmc.chassis.turnOff();
    await device.v2('GET', 'power');
    await device.v2('POST', 'power', { action: 'cycle' });
    assert.deepEqual(await device.powerEvents(), [
      { state: 'off', source: 'command' },
      { state: 'on', source: 'sync' },
      { state: 'off', source: 'query' },
      { state: 'on', source: 'command' },
    ]);
  });
});

describe('the outlets of a dedicated server', () => {
  const owned = suiteResources();
  let device: TestDevice;
  let strips: readonly TestPdu[];
  const outlets = () => strips.map((strip) => strip.outlets.get(3)!.state);
  const others = () => strips.flatMap((strip) => [strip.outlets.get(1)!.state, strip.outlets.get(2)!.state]);
  const power = (action: string) => device.v2('POST', 'power', { action });
  /** Until the breaker opens, so that later commands need not wait for the BMC. */
  const silence = async () => {
    device.bmc.setMalfunctions({ isSilent: true });
    for (let call = 0; call < 5; call++)
      await assert.rejects(
        device.app.parts.bmcs.use(device.server, (bmc) => bmc.power.state(AbortSignal.timeout(20))),
        { code: 'bmc_unreachable' },
      );
  };
  before(async () => {
    strips = [owned.use(await startTestPdu(3)), owned.use(await startTestPdu(3))];
    device = owned.use(await openDevice());
    const { app, server } = device;
    const pdus = strips.map(({ settings }, index) => ({ name: `pdu${index + 1}`, driver: 'snmp', settings }));
    const plugged = pdus.map(({ name }) => ({ pdu: name, outlet: 3 }));
    const servers = app.site.servers!.map((one) => (one.name === server ? { ...one, outlets: plugged } : one));
    await applySite(app.parts, { ...app.site, pdus, servers });
    assertResult(await device.v2('GET', 'power'), 'on');
  });

  it('stay as they are while the BMC responds', async () => {
    assertResult(await power('off'), 'Chassis Power Control: Down/Off');
    assertResult(await power('on'), 'Chassis Power Control: Up/On');
    assert.deepEqual(
      [ran(device), outlets()],
      [
        ['control off', 'control on'],
        ['on', 'on'],
      ],
    );
  });

  it('are not switched for a BMC that responded to the last check', async () => {
    await silence();
    assertRejected(await power('off'), 504, 'bmc_unreachable');
    assertRejected(await power('cycle'), 504, 'bmc_unreachable');
    assert.deepEqual(outlets(), ['on', 'on']);
  });

  it('are not switched if the state of one is unknown, and all or none of them are', async () => {
    const { app } = device;
    app.pass(61_000);
    await silence();
    await powerSync(app.parts).run(new AbortController().signal);
    assert.equal((await powerRow(device)).error, 'bmc_unreachable');
    const [first, second] = strips.map((strip) => strip.outlets.get(3)!);
    first!.state = 'unknown';
    assertRejected(await power('off'), 502, 'bmc_error');
    assertRejected(await device.v2('GET', 'power'), 504, 'bmc_unreachable');
    assert.deepEqual(outlets(), ['unknown', 'on']);
    first!.state = 'on';
    second!.isLocked = true;
    assertRejected(await power('off'), 502, 'bmc_error');
    second!.isLocked = false;
    assert.deepEqual(outlets(), ['on', 'on']);
  });

  it('cut the power of a server whose BMC is silent, with an event, and give it back', async () => {
    await silence();
    assertRejected(await device.v2('GET', 'power'), 504, 'bmc_unreachable');
    assertRejected(await power('on'), 504, 'bmc_unreachable');
    assertResult(await power('off'), 'Chassis Power Control: Down/Off');
    assert.deepEqual(
      [outlets(), others()],
      [
        ['off', 'off'],
        ['on', 'on', 'on', 'on'],
      ],
    );
    assert.deepEqual((await device.powerEvents()).at(-1), { state: 'off', source: 'outlets' });
    assertResult(await device.v2('GET', 'power'), 'off');
    assertResult(await power('off'), 'Chassis Power Control: Down/Off');
    const message = assertRejected(await power('on'), 504, 'bmc_unreachable');
    assert.match(message, /has power again/);
    assert.deepEqual(outlets(), ['on', 'on']);
    device.bmc.setMalfunctions({});
    device.app.pass(16_000);
    assertResult(await power('on'), 'Chassis Power Control: Up/On');
  });

  it('cycle the power, and wait for the BMC to start', async () => {
    const { app } = device;
    app.pass(61_000);
    await silence();
    await powerSync(app.parts).run(new AbortController().signal);
    const cycled = power('cycle');
    await until(() => outlets().every((state) => state === 'off'), { saw: outlets });
    // Without power, it cannot respond; with it, it starts anew.
    device.bmc.chassis.turnOff();
    app.pass(10_000);
    await until(() => outlets().every((state) => state === 'on'), { saw: outlets });
    device.bmc.setMalfunctions({});
    app.pass(16_000);
    await cycled;
    await until(() => device.bmc.chassis.power === 'on');
  });

  it('are checked by the doctor', async () => {
    const checks = equipmentChecks.filter(({ name }) => name === 'power strips');
    const found = () => runChecks(device.app.parts, checks);
    assert.deepEqual(
      (await found()).map(({ state }) => state),
      ['ok'],
    );
    strips[1]!.outlets.get(3)!.state = 'unknown';
    const [problem] = await found();
    assert.match(JSON.stringify(problem), /Power strip pdu2 does not know the state of outlet 3/);
    strips[1]!.outlets.get(3)!.state = 'on';
  });
});

describe('a BMC that is slower than most', () => {
  it('is waited for as long as its model needs, which the doctor proposes', async () => {
    await using device = await openDevice();
    const { app, server, bmc } = device;
    const applyWaits = (waits: SiteWaits, own: SiteWaits = {}) => {
      const slow = (one: SiteServer): SiteServer => ({
        ...one,
        bmc: { ...one.bmc, model: 'slow', settings: { ...one.bmc.settings, waits: own } },
      });
      const servers = app.site.servers!.map((one) => (one.name === server ? slow(one) : one));
      return applySite(app.parts, { ...app.site, servers, models: [{ name: 'slow', waits }] });
    };
    const check = async (): Promise<string | null> => {
      app.pass(61_000);
      await powerSync(app.parts).run(new AbortController().signal);
      return (await powerRow(device)).error;
    };
    // Signing in takes more than two seconds.
    bmc.setMalfunctions({ responseDelayMs: 420 });
    await applyWaits({ commandSeconds: 2 });
    assertRejected(await device.v2('GET', 'power'), 504, 'bmc_unreachable');
    assert.equal(await check(), 'bmc_unreachable');
    const [found] = await runChecks(
      app.parts,
      equipmentChecks.filter(({ name }) => name === 'controllers'),
    );
    assert.match(
      JSON.stringify(found),
      /takes [0-9] seconds to respond, but Hostyard waits only 1\..*responseSeconds: [0-9], commandSeconds: [0-9]+ /,
    );

    // Without a change of the server itself.
    await applyWaits({ commandSeconds: 20 });
    assertResult(await device.v2('GET', 'power'), 'on');
    assert.equal(await check(), null);

    await applyWaits({ commandSeconds: 20 }, { commandSeconds: 30, restartSeconds: 600 });
    const { commandMs, restartMs } = await app.parts.bmcs.waits(server);
    assert.deepEqual([commandMs, restartMs], [30_000, 600_000]);
    assert.deepEqual((await loadStoredSite(app.parts, app.parts.store.queries))!.models, [
      { name: 'slow', waits: { commandSeconds: 20 } },
    ]);
  });
});

describe('the next boot of a dedicated server', () => {
  it('is chosen for one boot, and reboots nothing', async () => {
    await using device = await openDevice();
    const { chassis } = device.bmc;
    const boots = () => chassis.events.map(({ text }) => text).filter((text) => text.startsWith('boot from'));
    for (const target of ['pxe', 'cdrom', 'bios']) {
      assertResult(await device.v2('PUT', 'power', { request: target }), `Set Boot Device to ${target}`);
      assert.equal(chassis.bootFlags.device, target);
    }
    for (const [action, target] of [
      ['rebootBIOS', 'bios'],
      ['rebootCDROM', 'cdrom'],
      ['rebootPXE', 'pxe'],
    ] as const) {
      assertResult(await device.legacy('/ipmi/power', { action }), `Set Boot Device to ${target}`);
      assert.equal(chassis.bootFlags.device, target);
    }
    assert.deepEqual([ran(device), boots()], [[], []]);
    await device.v2('POST', 'power', { action: 'reboot' });
    await device.v2('POST', 'power', { action: 'reboot' });
    assert.deepEqual(boots(), ['boot from pxe', 'boot from disk']);
  });
});
