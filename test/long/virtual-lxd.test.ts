// The LXD driver on a real LXD and a real Incus: the conformance suite, and what is specific to containers.
import assert from 'node:assert/strict';
import { describeHypervisorDriver } from '#drivers/hypervisor/conformance.ts';
import { lxdDriver } from '#drivers/hypervisor/lxd.ts';
import { makeBridge } from '#test/support/bridge.ts';
import { currentOf, instancesOf, onConsole, shape } from '#test/support/lxd-console.ts';
import { lxdPool, lxdTemplate, needsLxd, startLxd } from '#test/support/lxd.ts';

for (const [title, product] of [
  ['the LXD driver on LXD', 'lxd'],
  ['the LXD driver on Incus', 'incus'],
] as const)
  describeHypervisorDriver(title, needsLxd(product), async () => {
    const bridge = await makeBridge();
    const lxd = await startLxd(product);
    await lxd.prepare();
    const settings = { socket: lxd.socket, pool: lxdPool, nic: { nictype: 'bridged', parent: bridge.name } };
    const own = await lxdDriver.open(settings);
    return {
      open: (access) =>
        lxdDriver.open(access === 'provider' ? settings : { ...settings, socket: '/nowhere/unix.socket' }),
      shape,
      tooLarge: { memoryMb: 10_000_000, diskGb: 100 },
      template: lxdTemplate,
      image: 'none',
      lacks: ['media', 'boot'],
      async power(name) {
        const instance = await currentOf(lxd, name);
        return instance === undefined ? 'absent' : instance.status === 'Running' ? 'on' : 'off';
      },
      systems: async (name) => (await instancesOf(lxd, name)).map(({ config }) => config['user.hostyard.system']!),
      async bootAddresses(name) {
        const { name: instance } = (await currentOf(lxd, name))!;
        const file = await lxd.lxc('exec', instance, '--', 'cat', '/etc/network/interfaces');
        return file.match(/(?<=address ).*/g) ?? [];
      },
      async sshKeys(name) {
        const { name: instance } = (await currentOf(lxd, name))!;
        const file = await lxd.lxc('exec', instance, '--', 'cat', '/root/.ssh/authorized_keys');
        return file.split('\n').filter((line) => line !== '');
      },
      async networks(name) {
        const card = (await currentOf(lxd, name))!.expanded_devices['eth0']!;
        return (['ipv4', 'ipv6'] as const).flatMap((family) => {
          const address = card[`${family}.address`];
          const blocks = (card[`${family}.routes.external`] ?? '').split(',').filter((block) => block !== '');
          const isAlone = address !== 'none' && !blocks.some((block) => block.startsWith(`${address}/`));
          return isAlone ? [`${address}/${family === 'ipv4' ? 32 : 128}`, ...blocks] : blocks;
        });
      },
      hostnameAfterLogin: (name, password) => onConsole(own, name, password, 'hostname'),
      insertedImage: async () => assert.fail('it has no drive'),
      bootedFrom: async () => assert.fail('it has no firmware'),
      async tun(name) {
        const { name: instance } = (await currentOf(lxd, name))!;
        // A process that may open it gets the error that no tunnel was named.
        const output = await lxd.lxc('exec', instance, '--', 'sh', '-c', 'cat /dev/net/tun 2>&1 || true');
        return output.includes('bad state') ? 'enabled' : 'disabled';
      },
      async fill() {
        await lxd.resizePool('512m');
        return { [Symbol.asyncDispose]: () => lxd.resizePool('3g') };
      },
      restart: () => lxd.restart(),
      async [Symbol.asyncDispose]() {
        await own[Symbol.asyncDispose]();
        await lxd[Symbol.asyncDispose]();
        await bridge[Symbol.asyncDispose]();
      },
    };
  });
