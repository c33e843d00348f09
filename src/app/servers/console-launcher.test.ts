import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { composedPorts, composeLauncher } from './console-launcher.ts';
import { portsOfLauncher, rewriteLauncher } from './controller-launcher.ts';

const ports = { 443: 20_001, 5900: 20_002, 623: 20_003, 80: 20_004, 7582: 20_005, 5124: 20_006 };
const access = { host: 'console.example.net', server: 'dc01r01ds01', username: 'kvm-1', password: 'secret', ports };

function argumentsOf(file: string): string[] {
  return [...file.matchAll(/<argument>([^<]*)<\/argument>/g)].map((match) => match[1]!);
}

describe('a composed launcher file', () => {
  it('passes host, user, password and ports to the console of each model', () => {
    const { host, username, password } = access;
    for (const [model, mainClass, expected] of [
      ['aten', 'tw.com.aten.ikvm.KVMMain', `${host} ${username} ${password} null 20002 20003 2 0`],
      [
        'idrac',
        'com.avocent.idrac.kvm.Main',
        `ip=${host} user=${username} passwd=${password} kmport=20002 vport=20002 apcp=1 version=2 vmprivilege=true`,
      ],
    ] as const) {
      const file = composeLauncher(model, access);
      assert.equal(argumentsOf(file).join(' '), expected);
      assert.ok(file.includes(`main-class="${mainClass}"`));
      assert.match(file, /codebase="https:\/\/console\.example\.net:20001\/"/);
    }
  });

  it('does not exist for an unknown model', () => {
    for (const model of ['', 'generic', 'constructor', '__proto__']) assert.equal(composedPorts(model), undefined);
  });

  it('escapes every value', () => {
    const file = composeLauncher('aten', {
      host: '"><evil a="',
      server: '</title>&',
      username: "<'user'>",
      password: ']]></argument><argument>',
      ports,
    });
    assert.doesNotMatch(file, /<evil|<'user'|]]><\/argument><argument>\n|<\/title>&/);
    assert.ok(file.includes('&lt;&apos;user&apos;&gt;'));
    assert.equal(file.match(/<argument>/g)!.length, 8);
  });
});

describe('the launcher file of a controller', () => {
  const gateway = { host: 'console.example.net', ports };
  const fileOf = (codebase: string, values: readonly string[]) => ({
    host: '10.0.5.12',
    file: `<jnlp codebase="${codebase}"><jar href="${codebase}iKVM.jar"/>${values.map((value) => `<argument>${value}</argument>`).join('')}</jnlp>`,
  });

  it('of ATEN is rewritten to the gateway, without TLS and with it', () => {
    const plain = fileOf('http://10.0.5.12:80/', ['10.0.5.12', 'user', '5900', 'null', '5900', '623', '2', '0']);
    assert.deepEqual(portsOfLauncher('aten', plain).toSorted(), [5900, 623, 80]);
    const file = rewriteLauncher('aten', plain, gateway);
    assert.deepEqual(argumentsOf(file), ['console.example.net', 'user', '5900', 'null', '20002', '20003', '2', '0']);
    assert.ok(
      file.startsWith(
        '<jnlp codebase="http://console.example.net:20004/"><jar href="http://console.example.net:20004/',
      ),
    );
    const values = ['10.0.5.12', 'user', 'pass', 'null', '63630', '623', '2', '0', '1', '5900'];
    const secure = fileOf('https://10.0.5.12/', values);
    assert.deepEqual(portsOfLauncher('aten', secure).toSorted(), [443, 5900, 623]);
    assert.equal(
      argumentsOf(rewriteLauncher('aten', secure, gateway)).join(' '),
      'console.example.net user pass null 63630 20003 2 0 1 20002',
    );
  });

  it('of AMI is rewritten by its flags, and its tokens stay', () => {
    const values = [
      '-hostname',
      '10.0.5.12',
      '-kvmtoken',
      '7582',
      '-kvmsecure',
      '1',
      '-kvmport',
      '7582',
      '-cdport',
      '5124',
    ];
    const launcher = fileOf('https://10.0.5.12:443/Java/', values);
    assert.deepEqual(portsOfLauncher('ami', launcher).toSorted(), [443, 5124, 7582]);
    const expected = ['-hostname', 'console.example.net', '-kvmtoken', '7582', '-kvmsecure', '1', '-kvmport', '20005'];
    assert.deepEqual(argumentsOf(rewriteLauncher('ami', launcher, gateway)), [...expected, '-cdport', '20006']);
  });

  it('takes no more ports of the gateway than a console needs', () => {
    const links = Array.from({ length: 100 }, (_, index) => `https://10.0.5.12:${8000 + index}/`).join(' ');
    assert.throws(() => portsOfLauncher('ami', fileOf(links, [])), { code: 'bmc_error', message: /ports/ });
  });

  it('does not take the address of another host for its own', () => {
    const file = fileOf('https://10.0.5.123/', []);
    assert.deepEqual(portsOfLauncher('ami', file), []);
  });
});
