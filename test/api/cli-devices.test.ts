// Commands for servers and machines: power, reloads, consoles, traffic, and the names of servers.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { seedLabTraffic } from '#server/lab/lab-traffic.ts';
import { cliSuite } from '#test/support/cli-suite.ts';
import type { CliCall } from '#test/support/cli.ts';
import { until } from '#test/support/until.ts';

describe('the command line', () => {
  const cli = cliSuite();
  const { run, prints, ends } = cli;

  it('power-cycles a server, shows the progress and waits for the end', async () => {
    const { code, out, err } = await run('server power cycle 1001 --wait --yes');
    assert.deepEqual([code, out], [0, 'Chassis Power Control: Cycle\n']);
    assert.match(err, /Completed 100%\n$/);
    assert.equal(await prints('server power off web1.example.net -y'), 'Chassis Power Control: Down/Off\n');
    assert.equal(await prints('server power status dc01r01ds01 -o json'), '"off"\n');
    assert.match(await ends('server power reboot 1001 --yes', 5), /\S/);
    assert.equal(await prints('server power on 1001'), 'Chassis Power Control: Up/On\n');
  });

  it('erases a server only after confirmation, and --wait reports the result', async () => {
    assert.match(
      await ends('server reload start 1002 debian-12', 7),
      /^Erase db1\.example\.net \(service 1002\) and install debian-12\?/,
    );
    const began = await run('server reload start 1002 debian-12 --yes');
    assert.equal(began.code, 0, began.err);
    assert.match(began.out, /^\S{8,}\n$/);
    const [action] = JSON.parse(await prints('action list --service 1002 --limit 1 -o json')) as { id: string }[];
    const [waited] = await Promise.all([
      run(`action wait ${action!.id}`),
      until(async () => (await run('server reload cancel 1002 --yes')).code === 0),
    ]);
    assert.equal(waited.code, 9, waited.err);
    assert.match(waited.err, /The action was cancelled\.\n$/);
    assert.equal(await prints('server reload status 1002'), 'Cancelled\n');
    assert.match(await prints('server reload log 1002'), /Cancelled/);
  });

  const loginDialogue: CliCall = {
    terminal: { columns: 80 },
    dialogue: [
      ['Connected to', '\r'],
      ['login:', 'root\r'],
      ['Password:', '\r~.'],
    ],
  };

  it('connects a console both ways until the escape sequence', async () => {
    const { code, out, err } = await run('console 1001', loginDialogue);
    assert.equal(code, 0, err);
    assert.match(out, /login: ?root/);
    assert.match(err, /^Connected to web1\.example\.net\. To disconnect press Return, then ~\./);
  });

  it('prints VNC credentials for a virtual machine', async () => {
    assert.match(await ends('console 2001', 1), /graphical console, and VNC access is not enabled/);
    cli.app.parts.vncListeners.address = { host: '127.0.0.1', port: 5999 };
    assert.match(await prints('console 2001'), /^host  127\.0\.0\.1\nport  5999\nuser  vm-101\npass  \S+\n$/);
  });

  it('opens the console of a container as text', async () => {
    const container = cli.app.parts.store.queries.updateTable('machines').where('vmid', '=', 101);
    await container.set({ kind: 'OpenVZ' }).execute();
    const { code, out, err } = await run('console 2001', loginDialogue);
    await container.set({ kind: 'Xen' }).execute();
    assert.equal(code, 0, err);
    assert.match(out, /login: ?root/);
  });

  it('draws a traffic graph as wide as the terminal', async () => {
    await seedLabTraffic(cli.app.parts);
    const day = await prints('bandwidth 1001 --graph', { terminal: { columns: 60 }, env: { NO_COLOR: '1' } });
    assert.match(day, /^\S+ \Sbit\/s +│/);
    assert.match(day, /\n {12}├─{46}\n/);
    assert.match(day, /\nin +│.*[⡀-⣿]/u);
    assert.match(day, /\nport +\S+ \S+\nin +\S+ \Sbit\/s on average, \S+ \SB\n/);
    await cli.app.parts.store.queries.deleteFrom('port_holdings').where('service_id', '=', 1002).execute();
    assert.equal(await prints('bandwidth 1002'), 'No traffic of this service is measured.\n');
    const month = await prints('bandwidth 1001 --month');
    assert.match(month, /^95th percentile +\S+ \Sbit\/s\nprojected +.*\nminimum +.*\nbursts left +[0-9]+ of [0-9]+ /);
    const report = JSON.parse(await prints('bandwidth 1001 --month --graph -o json')) as object;
    assert.deepEqual(Object.keys(report), ['figures', 'samples']);
    await ends('bandwidth 1001 --month --start 2026-11-01', 1);
    await ends('bandwidth 1001 --start yesterday', 2);
  });

  it('reports an equipment error with its own exit code', async () => {
    const controller = cli.app.equipment.bmcs.find(({ server }) => server === 'dc01r01ds01')!.simulator;
    controller.setMalfunctions({ rejectsSessions: true });
    // An open session would be reused.
    await cli.app.parts.bmcs.use('dc01r01ds01', async (bmc) => bmc[Symbol.asyncDispose]());
    try {
      assert.match(await ends('server bmc reset 1001', 6), /request \S+\n$/);
    } finally {
      controller.setMalfunctions({});
    }
  });

  it("takes the provider's name of a server, in the commands that use the legacy API too", async () => {
    const { parts, site } = cli.app;
    const { bmc } = site.servers!.find(({ name }) => name === 'dc01r01ds02-01')!;
    const server = 'AMS1-r12_srv034';
    const service = {
      id: 1905,
      customer: 1,
      type: 'dedicated',
      name: 'Own',
      hostname: 'own.example.net',
      server,
    } as const;
    await applySite(parts, {
      ...site,
      servers: [...site.servers!, { name: server, bmc }],
      services: [...site.services!, { ...service, ip: '203.0.113.205' }],
    });
    assert.match(await prints('server show ams1-r12_SRV034'), /server +ams1-r12_srv034\nalias +dc00r00ds00-01\n/);
    assert.match(await prints('server bmc user-add ams1-r12_srv034 anna'), /username +anna/);
    const question = await ends('server bmc user-delete dc00r00ds00-01 anna', 7);
    assert.match(question, /Delete the IPMI user anna of ams1-r12_srv034\?/);
    assert.equal(await prints('server bmc user-delete ams1-r12_srv034 anna --yes'), 'User Removed\n');
    await prints('network nullroute list ams1-r12_srv034');
  });
});
