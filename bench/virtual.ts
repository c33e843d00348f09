// Virtual machines: creating 100 and listing 1,000 in the lab; and reading the power state of one through our
// persistent connection to libvirt, next to a virsh process each time, as a script would. CPU time includes that of the
// daemon. Rounds alternate and medians count, because timings on this machine vary. Only root can create libvirt's
// network namespace.
//
//   node bench/virtual.ts
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { libvirtDriver } from '#drivers/hypervisor/libvirt.ts';
import { startLibvirt, type LibvirtNode } from '#test/support/libvirt.ts';
import { median, printFigure, startCpuWatch } from './support/figures.ts';
import { cpuSeconds } from './support/load.ts';
import { measureLists, measureCreateMs } from './support/machine-list.ts';

const rounds = 5;
const readsByUs = 2000;
const readsByVirsh = 40;
const target = 20;

await measureMachines();
await measurePowerState();

/** The list must not wait for any hypervisor. */
async function measureMachines(): Promise<void> {
  const createMs = await measureCreateMs(100);
  printFigure('100 lab machines created and listed', `${(createMs / 1000).toFixed(1)} s`, '<= 60 s', createMs < 60_000);
  const { idleMs, silentMs } = await measureLists(10, 1000);
  const ratio = silentMs / idleMs;
  const label = `1,000 machines of 10 silent hypervisors listed (${idleMs.toFixed(1)} → ${silentMs.toFixed(1)} ms)`;
  printFigure(label, ratio.toFixed(2), '< 2', ratio < 2, 'hypervisors that respond');
}

async function measurePowerState(): Promise<void> {
  await using libvirt = await startLibvirt();
  const settings = { socket: libvirt.socket, pool: libvirt.pool, accelerator: 'tcg' as const };
  await using hypervisor = await libvirtDriver.open(settings);
  const signal = AbortSignal.timeout(300_000);
  const shape = { vcpus: 1, memoryMb: 128, diskGb: 1, mac: '52:54:00:00:00:01', networks: [] };
  const system = { id: 'first', template: libvirt.template, hostname: 'bench', rootPassword: 'bench' };
  await hypervisor.machines.create('vm-1', shape, { ...system, addresses: [], nameServers: [], sshKeys: [] }, signal);

  const measureHostyard = async (): Promise<number> => {
    const cpuMs = startCpuWatch();
    for (let read = 0; read < readsByUs; read++) await hypervisor.power.state('vm-1', signal);
    return cpuMs();
  };
  const measureVirsh = async (): Promise<number> => {
    const command = `for read in $(seq ${readsByVirsh}); do virsh -q -c 'qemu:///system?socket=${libvirt.socket}' domstate vm-1; done`;
    const script = `TIMEFORMAT='%U %S'; time { ${command} >/dev/null; }`;
    const { stderr } = await promisify(execFile)('bash', ['-c', script]);
    const [user = 0, system = 0] = stderr.trim().split(' ').map(Number);
    return (user + system) * 1000;
  };
  // Warms up, because a server runs for months.
  await measureHostyard();
  const costs = { hostyard: [] as number[], virsh: [] as number[], ratio: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const hostyardCost = (await withDaemon(libvirt, measureHostyard)) / readsByUs;
    const virshCost = (await withDaemon(libvirt, measureVirsh)) / readsByVirsh;
    costs.hostyard.push(hostyardCost);
    costs.virsh.push(virshCost);
    costs.ratio.push(virshCost / hostyardCost);
  }
  console.log(`CPU per read: ours ${median(costs.hostyard).toFixed(3)} ms, virsh ${median(costs.virsh).toFixed(1)} ms`);
  const ratio = median(costs.ratio);
  printFigure(
    'reading the power state, times less CPU than the peer',
    ratio.toFixed(0),
    `>= ${target}`,
    ratio >= target,
    'virsh',
  );
}

/** Returns milliseconds of CPU, including the daemon's. */
async function withDaemon(libvirt: LibvirtNode, work: () => Promise<number>): Promise<number> {
  const daemonMs = async (): Promise<number> => cpuSeconds(await libvirt.daemon()) * 1000;
  const startMs = await daemonMs();
  const workMs = await work();
  return workMs + (await daemonMs()) - startMs;
}
