// The driver of power strips against Debian's snmpd, which serves the tables of each maker through a script. The numbers here are
// copied from the MIBs, not taken from the driver.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Pdu } from '#drivers/pdu/driver.ts';
import { snmpPduDriver } from '#drivers/pdu/snmp/driver.ts';
import { pduModels, type PduModelName } from '#drivers/pdu/snmp/models.ts';
import { startDaemon } from '#test/support/daemon.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { freePort } from '#test/support/ports.ts';
import { until } from '#test/support/until.ts';

interface Maker {
  /** The state of outlet 7, and its values. */
  readonly state: string;
  readonly values: { readonly on: number; readonly off: number; readonly unknown: number };
  /** What switches outlet 7, as `OID value`. */
  readonly on: string;
  readonly off: string;
}

const apc = '.1.3.6.1.4.1.318.1.1';
const serverTechnology = '.1.3.6.1.4.1.1718';
const makers: Readonly<Record<PduModelName, Maker>> = {
  'apc-rpdu2': {
    state: `${apc}.26.9.2.3.1.5.7`,
    values: { off: 1, on: 2, unknown: 3 },
    on: `${apc}.26.9.2.4.1.5.7 1`,
    off: `${apc}.26.9.2.4.1.5.7 2`,
  },
  'apc-rpdu': {
    state: `${apc}.12.3.5.1.1.4.7`,
    values: { on: 1, off: 2, unknown: 3 },
    on: `${apc}.12.3.3.1.1.4.7 1`,
    off: `${apc}.12.3.3.1.1.4.7 2`,
  },
  'raritan-pdu2': {
    state: '.1.3.6.1.4.1.13742.6.4.1.2.1.3.1.7',
    values: { on: 7, off: 8, unknown: -1 },
    on: '.1.3.6.1.4.1.13742.6.4.1.2.1.2.1.7 1',
    off: '.1.3.6.1.4.1.13742.6.4.1.2.1.2.1.7 0',
  },
  'servertech-sentry3': {
    state: `${serverTechnology}.3.2.3.1.5.1.1.7`,
    values: { off: 0, on: 1, unknown: 6 },
    on: `${serverTechnology}.3.2.3.1.11.1.1.7 1`,
    off: `${serverTechnology}.3.2.3.1.11.1.1.7 2`,
  },
  'servertech-sentry4': {
    state: `${serverTechnology}.4.1.8.3.1.1.1.1.7`,
    values: { on: 1, off: 2, unknown: 0 },
    on: `${serverTechnology}.4.1.8.5.1.2.1.1.7 1`,
    off: `${serverTechnology}.4.1.8.5.1.2.1.1.7 2`,
  },
  'eaton-epdu': {
    state: '.1.3.6.1.4.1.534.6.6.7.6.6.1.2.0.7',
    values: { off: 0, on: 1, unknown: 2 },
    on: '.1.3.6.1.4.1.534.6.6.7.6.6.1.4.0.7 0',
    off: '.1.3.6.1.4.1.534.6.6.7.6.6.1.3.0.7 0',
  },
};

/** snmpd calls it with `-g OID`, or `-s OID type value`. A file per outlet has its state, which snmpset can make unknown. */
function scriptOf(folder: string): string {
  const cases = Object.values(makers).flatMap(({ state, values, on, off }) => [
    `'${on}') echo ${values.on} >${folder}/${state};;`,
    `'${off}') echo ${values.off} >${folder}/${state};;`,
    `'${state} ${values.unknown}') echo ${values.unknown} >${folder}/${state};;`,
  ]);
  return `
if [ "$1" = -s ]; then case "$2 $4" in
${cases.join('\n')}
*) echo wrong-value;;
esac; exit; fi
[ "$1" = -g ] && [ -e "${folder}/$2" ] && printf '%s\\ninteger\\n%s\\n' "$2" "$(cat "${folder}/$2")"
`;
}

describe('power strips', needs('snmpd', 'snmpget', 'snmpset'), () => {
  const owned = new AsyncDisposableStack();
  let folder: string;
  let port: number;
  const signal = () => AbortSignal.timeout(60_000);
  const community = 'strips';
  const run = async (program: string, ...args: string[]): Promise<string> => {
    const options = ['-v2c', '-c', community, '-Oqvn', '-t', '1', '-r', '0', `127.0.0.1:${port}`];
    const { stdout } = await promisify(execFile)(program, [...options, ...args], { env: { ...process.env, MIBS: '' } });
    return stdout.trim();
  };
  const open = (model: PduModelName): Promise<Pdu> =>
    snmpPduDriver.open({ address: '127.0.0.1', port, timeoutMs: 5_000, version: '2c', community, model });

  before(async () => {
    folder = owned.use(await temporaryFolder('pdu')).path;
    port = await freePort();
    await writeFile(join(folder, 'outlets.sh'), scriptOf(folder));
    const config = join(folder, 'agent.conf');
    const pass = `pass .1.3.6.1.4.1 /bin/sh ${folder}/outlets.sh`;
    await writeFile(config, `agentaddress udp:127.0.0.1:${port}\nrwcommunity ${community}\n${pass}\n`);
    for (const { state, values } of Object.values(makers)) await writeFile(join(folder, state), `${values.on}\n`);
    const args = ['-f', '-Lo', '-C', '-c', config, '-p', join(folder, 'pid')];
    const env = { ...process.env, MIBS: '', SNMP_PERSISTENT_DIR: folder };
    owned.adopt(await startDaemon('snmpd', args, { env }), (daemon) => daemon.stop());
    await until(() => run('snmpget', '.1.3.6.1.2.1.1.3.0').then(Boolean, () => false));
  });
  after(() => owned.disposeAsync());

  for (const [model, { state, values }] of Object.entries(makers) as [PduModelName, Maker][]) {
    it(`of the model ${model} are switched, and an unknown state is not guessed`, async () => {
      assert.match(pduModels[model].source, /^[\w-]+-MIB: \w+, \w+/);
      await using pdu = await open(model);
      for (const wanted of ['off', 'off', 'on', 'on'] as const) {
        await pdu.set('7', wanted, signal());
        assert.equal(await run('snmpget', state), String(values[wanted]));
        assert.equal(await pdu.state('7', signal()), wanted);
      }
      await run('snmpset', state, 'i', String(values.unknown));
      assert.equal(await pdu.state('7', signal()), 'unknown');
      await pdu.set('7', 'on', signal());
    });
  }

  it('report an outlet that they do not have', async () => {
    await using pdu = await open('servertech-sentry4');
    await assert.rejects(pdu.state('9', signal()), { code: 'bmc_error' });
    await assert.rejects(pdu.set('2.1.7', 'off', signal()), { code: 'bmc_error' });
    assert.equal(await pdu.state('1.1.7', signal()), 'on');
  });

  it('report that they do not respond', async () => {
    const settings = { address: '127.0.0.1', port: 9, timeoutMs: 100, version: '2c', community, model: 'eaton-epdu' };
    await using pdu = await snmpPduDriver.open(settings as never);
    await assert.rejects(pdu.set('7', 'off', signal()), { code: 'bmc_unreachable' });
  });
});
