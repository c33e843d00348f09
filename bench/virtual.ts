// Virtual machines: a hundred made and a thousand listed in the lab; and reading the power of one through our kept connection
// to libvirt, beside a virsh process each time, which is what a script would do. Each side's CPU is counted with what it
// costs the daemon. Rounds alternate and medians count, since the machine has its moods. Only root can make the namespace
// that libvirt lives in.
//
//   node bench/virtual.ts
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { libvirtDriver } from '#drivers/hypervisor/libvirt.ts';
import { startLibvirt, type LibvirtNode } from '#test/support/libvirt.ts';
import { median } from './support/load.ts';
import { listMachines, makeMachinesMs } from './support/machine-list.ts';

const rounds = 5;
const readsByUs = 2000;
const readsByVirsh = 40;
const target = 20;
const tickMs = 10;

const lines: string[] = [];
await machines();
await powerState();
console.log(`\n${lines.join('\n')}`);

function report(what: string, figure: string, wanted: string, isMet: boolean): void {
  lines.push(`${what.padEnd(52)} ${figure.padStart(22)}   ${wanted.padEnd(20)} ${isMet ? 'met' : 'not met'}`);
  if (!isMet) process.exitCode = 1;
}

/** The list must not wait for any node. */
async function machines(): Promise<void> {
  const made = await makeMachinesMs(100);
  report('100 lab machines made and listed', `${(made / 1000).toFixed(1)} s`, 'at most 60 s', made < 60_000);
  const { quietMs, silentMs } = await listMachines(10, 1000);
  const figure = `${quietMs.toFixed(1)} ms, ${silentMs.toFixed(1)} ms`;
  report('1,000 machines of 10 nodes listed: quiet, silent', figure, 'silent at most twice', silentMs < 2 * quietMs);
}

async function powerState(): Promise<void> {
  await using node = await startLibvirt();
  const settings = { socket: node.socket, pool: node.pool, accelerator: 'tcg' as const };
  await using hypervisor = await libvirtDriver.open(settings);
  const signal = AbortSignal.timeout(300_000);
  const shape = { vcpus: 1, memoryMb: 128, diskGb: 1, mac: '52:54:00:00:00:01' };
  const system = { id: 'first', template: node.template, hostname: 'bench', rootPassword: 'bench' };
  await hypervisor.machines.create('vm-1', shape, { ...system, addresses: [], nameServers: [] }, signal);

  const ours = async (): Promise<number> => {
    const before = process.cpuUsage();
    for (let read = 0; read < readsByUs; read++) await hypervisor.power.state('vm-1', signal);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const virsh = async (): Promise<number> => {
    const command = `for read in $(seq ${readsByVirsh}); do virsh -q -c 'qemu:///system?socket=${node.socket}' domstate vm-1; done`;
    const script = `TIMEFORMAT='%U %S'; time { ${command} >/dev/null; }`;
    const { stderr } = await promisify(execFile)('bash', ['-c', script]);
    const [user = 0, system = 0] = stderr.trim().split(' ').map(Number);
    return (user + system) * 1000;
  };
  // A server runs for months: what it does before its code is compiled says nothing of it.
  await ours();
  const costs = { ours: [] as number[], virsh: [] as number[], ratio: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const own = (await withDaemon(node, ours)) / readsByUs;
    const other = (await withDaemon(node, virsh)) / readsByVirsh;
    costs.ours.push(own);
    costs.virsh.push(other);
    costs.ratio.push(other / own);
  }
  lines.push(`CPU of a read: ours ${median(costs.ours).toFixed(3)} ms, virsh ${median(costs.virsh).toFixed(1)} ms`);
  const ratio = median(costs.ratio);
  report('reading the power, times less CPU than virsh', ratio.toFixed(0), `at least ${target}`, ratio >= target);
}

/** Milliseconds of CPU, the daemon's for it included. */
async function withDaemon(node: LibvirtNode, work: () => Promise<number>): Promise<number> {
  const before = await daemonCpuMs(node);
  const own = await work();
  return own + (await daemonCpuMs(node)) - before;
}

async function daemonCpuMs(node: LibvirtNode): Promise<number> {
  // After the program's name in parentheses: utime and stime are the 12th and 13th fields.
  const fields = readFileSync(`/proc/${await node.daemon()}/stat`, 'utf8')
    .split(') ')
    .at(-1)!
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}
