// The SNMP driver in the conformance suite: v2c and v3, against the lab's switch and against Debian's snmpd.
import { describe } from 'node:test';
import { describeSwitchDriver, type Access, type SwitchFixture } from '#drivers/switch/conformance.ts';
import { snmpSwitchDriver } from '#drivers/switch/snmp/driver.ts';
import type { SnmpSettings } from '#drivers/snmp/settings.ts';
import { startLabSwitch } from '#lab/switch/switch.ts';
import { needs } from '#test/support/needs.ts';
import { needsSnmpd, type Snmpd, startSnmpd } from '#test/support/snmpd.ts';

const open = (settings: SnmpSettings) => snmpSwitchDriver.open(settings);
/** The discard port, where nothing listens. */
const discardPort = 9;
/** Long enough for a busy machine, and short where nothing responds. */
const timeoutOf = (access: Access) => (access === 'nobody there' || access === 'wrong secret' ? 300 : 5_000);

const labCommunities = { readWrite: 'lab-rw', readOnly: 'lab-ro' };
const labUser = { name: 'lab-user', authPassword: 'authentication-1', privPassword: 'privacy-1' };

async function startLab(settingsOf: (access: Access) => Secrets): Promise<SwitchFixture> {
  const names = { ifIndex: 7, name: 'ge-0/0/7', description: 'ge-0/0/7', alias: 'cust-1001 server1' };
  const expected = { ...names, speedBitsPerSecond: 10_000_000_000 };
  const others = Array.from({ length: 60 }, (_, index) => index + 1).filter((ifIndex) => ifIndex !== expected.ifIndex);
  const ports = others.map((ifIndex) => ({ ...expected, ifIndex, name: `ge-0/0/${ifIndex}`, alias: '' }));
  const traffic = { seed: 1, inBitsPerSecond: 2e8, outBitsPerSecond: 5e8 };
  const lab = await startLabSwitch({
    ports: [...ports, { ...expected, traffic }].sort((a, b) => a.ifIndex - b.ifIndex),
    communities: labCommunities,
    user: labUser,
    linkDelayMs: 100,
  });
  return {
    expected,
    target: { address: lab.address, port: lab.port, community: labCommunities.readWrite },
    open: (access) => {
      const port = access === 'nobody there' ? discardPort : lab.port;
      return open({ address: lab.address, port, timeoutMs: timeoutOf(access), ...settingsOf(access) });
    },
    [Symbol.asyncDispose]: () => lab.close(),
  };
}

async function startDebian(settingsOf: (access: Access, snmpd: Snmpd) => Secrets): Promise<SwitchFixture> {
  const snmpd = await startSnmpd();
  const { address, port, community } = snmpd;
  return {
    expected: snmpd.ports[0]!,
    target: { address, port, community },
    open: (access) => {
      const at = access === 'nobody there' ? discardPort : port;
      return open({ address, port: at, timeoutMs: timeoutOf(access), ...settingsOf(access, snmpd) });
    },
    [Symbol.asyncDispose]: () => snmpd[Symbol.asyncDispose](),
  };
}

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type Secrets = Without<SnmpSettings, 'address' | 'port' | 'timeoutMs'>;

function communityFor(access: Access, all: { readWrite: string; readOnly: string }): Secrets {
  const wrong = access === 'wrong secret' ? 'not-the-secret' : undefined;
  return { version: '2c', community: wrong ?? (access === 'read only' ? all.readOnly : all.readWrite) };
}

function userFor(access: Access, protocol: 'SHA' | 'SHA256', username: string, secrets: typeof passwords): Secrets {
  const password = access === 'wrong secret' ? 'not-the-secret' : secrets.authPassword;
  const privacy = { protocol: 'AES', password: secrets.privPassword } as const;
  return { version: '3', username, authentication: { protocol, password }, privacy };
}
const passwords = { authPassword: labUser.authPassword, privPassword: labUser.privPassword };

// Most of the time is snmpd's, which refreshes its interfaces every three seconds.
describe('switch drivers', { concurrency: true }, () => {
  describeSwitchDriver("SNMP v2c with the lab's switch", needs('snmpget', 'snmpset'), () =>
    startLab((access) => communityFor(access, labCommunities)),
  );

  // The lab has one v3 user, who may write; a read-only user is a community.
  describeSwitchDriver("SNMP v3 with the lab's switch", needs('snmpget', 'snmpset'), () =>
    startLab((access) =>
      access === 'read only'
        ? communityFor(access, labCommunities)
        : userFor(access, 'SHA256', labUser.name, passwords),
    ),
  );

  describeSwitchDriver('SNMP v2c with snmpd', needsSnmpd(), () =>
    startDebian((access, snmpd) =>
      communityFor(access, { readWrite: snmpd.community, readOnly: snmpd.readOnlyCommunity }),
    ),
  );

  describeSwitchDriver('SNMP v3 with snmpd, SHA and AES', needsSnmpd(), () =>
    startDebian((access, snmpd) =>
      userFor(access, 'SHA', access === 'read only' ? snmpd.users.readOnly : snmpd.users.sha, snmpd),
    ),
  );
});
