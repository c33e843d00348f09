// The output that Hostyard keeps of a serial line belongs to the service that has the server: the next customer gets none of
// it, from whatever instance and by whatever way.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serialLines, type SerialLines } from '#equipment/serial-lines.ts';
import { requestTicket, watchConsole, watchConsoleAt, type Viewer } from '#test/support/console.ts';
import { openDevice, type TestDevice } from '#test/support/devices.ts';
import { giveServer, handOver, takeServer } from '#test/support/handover.ts';
import { until } from '#test/support/until.ts';

const former = 'the former password';
const next = 'the next customer';

async function openListening(): Promise<TestDevice> {
  const device = await openDevice();
  device.app.parts.serialLines.start();
  await until(() => device.bmc.hasConsole());
  return device;
}

async function watchNext(device: TestDevice & { readonly key: string }): Promise<Viewer> {
  const { url } = await requestTicket(device, { key: device.key });
  return watchConsoleAt(device.app.url, url);
}

async function printFormer(device: TestDevice): Promise<void> {
  await using viewer = await watchConsole(device);
  await until(() => device.bmc.hasConsole());
  device.bmc.serial.print(`${former}\r\n`);
  await viewer.shows(former);
}

/** Prints something for the next customer, and returns all that they see by then. */
async function printNext({ bmc }: TestDevice, viewer: Viewer): Promise<string> {
  bmc.serial.print(`${next}\r\n`);
  await viewer.shows(next);
  return viewer.text();
}

/** Another instance on the same database, and all that one viewer sees through it. */
async function viewThroughOther(device: TestDevice, service: string): Promise<AsyncDisposable & { text(): string }> {
  const lines = serialLines({ ...device.app.parts, instanceId: 'other' });
  let text = '';
  await view(lines, device, service, (data) => (text += data));
  return { text: () => text, [Symbol.asyncDispose]: () => lines.stop() };
}

function view(lines: SerialLines, { server }: TestDevice, service: string, onData: (text: string) => void) {
  return lines.view(server, Number(service), { onData: (data) => onData(data.toString('latin1')), onEnd: () => {} });
}

async function storedOutput({ app }: TestDevice): Promise<Buffer | undefined> {
  const row = await app.parts.store.queries.selectFrom('serial_output').select('output').executeTakeFirst();
  return row?.output;
}

/** Waits until the instance has seen the current service of every server. */
async function seesServices({ app }: TestDevice): Promise<void> {
  const lease = app.parts.store.queries.selectFrom('serial_holders').select('held_until');
  const renewals = new Set<number>();
  await until(async () => renewals.add((await lease.executeTakeFirstOrThrow()).held_until).size > 2);
}

describe("a former customer's serial output", { concurrency: 2 }, () => {
  it('does not reach the next from an instance that holds the line throughout', async () => {
    await using device = await openListening();
    await using viewer = await watchConsole(device);
    device.bmc.serial.print(`${former}\r\n`);
    await viewer.shows(former);
    await using nextViewer = await watchNext(await handOver(device));
    assert.ok(!(await printNext(device, nextViewer)).includes(former));
    await viewer.ended;
    assert.ok(!viewer.text().includes(next));
  });

  it('is not kept while no service has the server', async () => {
    await using device = await openListening();
    await takeServer(device);
    await seesServices(device);
    device.bmc.serial.print(`${former}\r\n`);
    await seesServices(device);
    await using viewer = await watchNext(await giveServer(device));
    assert.ok(!(await printNext(device, viewer)).includes(former));
  });

  it('is sealed at rest, and opens for its service only', async () => {
    await using device = await openListening();
    await printFormer(device);
    await device.app.parts.serialLines.stop();
    assert.ok((await storedOutput(device))!.length > former.length);
    assert.ok(!(await storedOutput(device))!.includes('password'));
    {
      await using own = await viewThroughOther(device, device.service);
      assert.ok(own.text().includes(former));
    }
    const { service } = await handOver(device);
    {
      await using nextView = await viewThroughOther(device, service);
      assert.equal(nextView.text(), '');
    }
    await device.app.parts.store.queries
      .updateTable('serial_output')
      .set({ service_id: Number(service) })
      .execute();
    await using nextView = await viewThroughOther(device, service);
    assert.equal(nextView.text(), '', 'moved to the next service by hand');
  });

  it('is not stored any more once the service has lost the server', async () => {
    await using device = await openDevice();
    await printFormer(device);
    await takeServer(device);
    await device.app.parts.serialLines.stop();
    assert.equal(await storedOutput(device), undefined);
  });

  it('is shown to no other service, and a viewer of the former one can no longer type', async () => {
    await using device = await openDevice();
    const { serialLines: lines } = device.app.parts;
    const seen = { former: '', next: '' };
    await assert.rejects(view(lines, device, '9999', assert.fail), { code: 'not_found' });
    const formerView = await view(lines, device, device.service, (text) => (seen.former += text));
    await formerView.write(Buffer.from('\r'));
    await until(() => seen.former.includes('login: '));
    const { service } = await handOver(device);
    const nextView = await view(lines, device, service, (text) => (seen.next += text));
    await assert.rejects(formerView.write(Buffer.from('reboot\r')), { code: 'not_found' });
    await nextView.write(Buffer.from('root\r'));
    await until(() => seen.next.includes('Password: '));
    assert.deepEqual([seen.former.includes('Password'), seen.next.includes('reboot')], [false, false]);
  });
});
