// Ethernet frames as a guest could forge them, sent and captured on the test machine's links. Perl does what Node cannot:
// raw sockets.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parseAddress } from '#lib/addresses.ts';
import { startDaemon } from './daemon.ts';

const types = { ipv4: 0x0800, arp: 0x0806, vlan: 0x8100, ipv6: 0x86dd } as const;
export const everyone = 'ff:ff:ff:ff:ff:ff';
const allNodes = '33:33:00:00:00:01';
const protocols = { udp: 17, fragment: 44, icmpv6: 58, destinationOptions: 60 } as const;

const bytesOfMac = (mac: string): Buffer => Buffer.from(mac.replaceAll(':', ''), 'hex');
const bytesOfAddress = (address: string): Buffer => Buffer.from(parseAddress(address)!.toByteArray());
const numbers = (...values: number[]): Buffer =>
  Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])));

function frame(to: string, from: string, type: number, ...parts: Buffer[]): Buffer {
  return Buffer.concat([bytesOfMac(to), bytesOfMac(from), numbers(type), ...parts]);
}

export interface Sender {
  readonly mac: string;
  readonly ip: string;
}

/** `sender` is what the message claims, `from` the address on the frame. */
export function arp(operation: 'request' | 'reply', from: string, sender: Sender, target: string): Buffer {
  const header = [numbers(1, types.ipv4), Buffer.from([6, 4]), numbers(operation === 'request' ? 1 : 2)];
  const asker = [bytesOfMac(sender.mac), bytesOfAddress(sender.ip)];
  return frame(everyone, from, types.arp, ...header, ...asker, Buffer.alloc(6), bytesOfAddress(target));
}

export function udp4(from: Sender, to: string, ports: readonly [number, number]): Buffer {
  return frame(everyone, from.mac, types.ipv4, ipv4Packet(from.ip, to, ports));
}

/** In a VLAN, where a filter might not look for it. */
export function taggedUdp4(from: Sender, to: string, ports: readonly [number, number]): Buffer {
  return frame(everyone, from.mac, types.vlan, numbers(1, types.ipv4), ipv4Packet(from.ip, to, ports));
}

function ipv4Packet(from: string, to: string, ports: readonly [number, number]): Buffer {
  const payload = Buffer.from('a datagram');
  const header = Buffer.alloc(20);
  header.set([0x45, 0, 0, 20 + 8 + payload.length, 0, 0, 0, 0, 64, protocols.udp]);
  bytesOfAddress(from).copy(header, 12);
  bytesOfAddress(to).copy(header, 16);
  let sum = 0;
  for (let at = 0; at < header.length; at += 2) sum += header.readUInt16BE(at);
  header.writeUInt16BE(~((sum & 0xffff) + (sum >> 16)) & 0xffff, 10);
  return Buffer.concat([header, numbers(...ports, 8 + payload.length, 0), payload]);
}

export function udp6(from: Sender, ports: readonly [number, number]): Buffer {
  return ipv6(from, protocols.udp, Buffer.concat([numbers(...ports, 8 + 4, 0), Buffer.from('data')]));
}

function ipv6(from: Sender, protocol: number, payload: Buffer): Buffer {
  const header = Buffer.from([0x60, 0, 0, 0, 0, payload.length, protocol, 255]);
  const packet = [header, bytesOfAddress(from.ip), bytesOfAddress('ff02::1'), payload];
  return frame(allNodes, from.mac, types.ipv6, ...packet);
}

/** Claims that `target` is at the sender's MAC address. */
export function neighbourAdvertisement(from: Sender, target: string): Buffer {
  const option = Buffer.concat([Buffer.from([2, 1]), bytesOfMac(from.mac)]);
  return icmp6(136, from, Buffer.from([0x20, 0, 0, 0]), bytesOfAddress(target), option);
}

const extensionHeaderAt = 14 + 40;
/** Options without a meaning, which fill the header. */
const emptyOptions = Buffer.from([1, 4, 0, 0, 0, 0]);

/** Puts an extension header in front of the payload of an IPv6 frame, where a filter might not look behind it. */
export function behindOptions(sent: Buffer): Buffer {
  return extend(sent, protocols.destinationOptions, sent.subarray(extensionHeaderAt));
}

/** Returns the IPv6 frame in two fragments. The first ends after 8 bytes: before what a filter would look at. */
export function inFragments(sent: Buffer): Buffer[] {
  const payload = sent.subarray(extensionHeaderAt);
  const [more, second] = [1, 8];
  return [
    extend(sent, protocols.fragment, payload.subarray(0, 8), more),
    extend(sent, protocols.fragment, payload.subarray(8), second),
  ];
}

function extend(sent: Buffer, header: number, payload: Buffer, fragment?: number): Buffer {
  const [lengthAt, nextHeaderAt] = [14 + 4, 14 + 6];
  const content = fragment === undefined ? emptyOptions : Buffer.concat([numbers(fragment), Buffer.alloc(4)]);
  const extended = Buffer.concat([
    sent.subarray(0, extensionHeaderAt),
    Buffer.from([sent[nextHeaderAt]!, 0]),
    content,
    payload,
  ]);
  extended[nextHeaderAt] = header;
  extended.writeUInt16BE(extended.length - extensionHeaderAt, lengthAt);
  return extended;
}

/** Asks whether anyone else has the address. */
export function duplicateAddressProbe(mac: string, target: string): Buffer {
  return icmp6(135, { mac, ip: '::' }, Buffer.alloc(4), bytesOfAddress(target));
}

export function routerAdvertisement(from: Sender): Buffer {
  return icmp6(134, from, Buffer.from([64, 0, 7, 8]), Buffer.alloc(8));
}

export function listenerReport(mac: string): Buffer {
  return icmp6(143, { mac, ip: '::' }, Buffer.alloc(4));
}

function icmp6(type: number, from: Sender, ...parts: Buffer[]): Buffer {
  const message = Buffer.concat([Buffer.from([type, 0, 0, 0]), ...parts]);
  const addresses = Buffer.concat([bytesOfAddress(from.ip), bytesOfAddress('ff02::1')]);
  const summed = Buffer.concat([addresses, numbers(0, message.length, 0, protocols.icmpv6), message]);
  let sum = 0;
  for (let at = 0; at < summed.length; at += 2) sum += summed.readUInt16BE(at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  message.writeUInt16BE(~sum & 0xffff, 2);
  return ipv6(from, protocols.icmpv6, message);
}

const socket = `socket(my $socket, 17, 3, unpack("n", pack("S", 3))) or die $!;
  sub number { my $request = pack("a16 x24", shift); ioctl($socket, 0x8933, $request) or die $!; unpack("x16 i", $request) }`;
const sendScript = `my ($link, @frames) = @ARGV; ${socket}
  my $address = pack("S n i S C C a8", 17, 3, number($link), 0, 0, 6, "");
  for (@frames) { send($socket, pack("H*", $_), 0, $address) or die $! }`;
// A copy of QEMU's end of the tap device sends exactly as the guest does, without booting one.
const tapScript = `my ($link, @frames) = @ARGV; my ($process, $number);
  for (glob("/proc/[0-9]*/fdinfo/*")) {
    open(my $info, "<", $_) or next; ($process, $number) = (split "/")[2, 4] if join("", <$info>) =~ /^iff:\\s*$link\n/m }
  my $copy = syscall(438, syscall(434, $process + 0, 0), $number + 0, 0);
  open(my $tap, "+<&=", $copy) or die $!; my $header = pack("i", 0); ioctl($tap, 0x800454d7, $header) or die $!;
  for (@frames) { syswrite($tap, ("\\0" x unpack("i", $header)) . pack("H*", $_)) or die $! }`;
// One socket for all links, so that frames come in their order; with a large buffer (SO_RCVBUFFORCE), because it gets the
// traffic of all others as well.
const captureScript = `my %names; $| = 1; ${socket}
  setsockopt($socket, 1, 33, pack("i", 64 << 20)) or die $!;
  $names{number($_)} = $_ for @ARGV;
  print "ready\\n";
  while (my $from = recv($socket, my $frame, 65535, 0)) {
    my $name = $names{(unpack("S n i", $from))[2]}; print "$name ", unpack("H*", $frame), "\\n" if defined $name }`;

const hex = (frames: readonly Buffer[]): string[] => frames.map((bytes) => bytes.toString('hex'));

/** Returns a command that sends from a link, such as in another network namespace. */
export function sendCommand(link: string, frames: readonly Buffer[]): string[] {
  return ['perl', '-e', sendScript, link, ...hex(frames)];
}

export async function sendFrames(link: string, frames: readonly Buffer[]): Promise<void> {
  const [program, ...args] = sendCommand(link, frames);
  await promisify(execFile)(program!, args);
}

/** Sends as the guest behind this link does. */
export async function sendFromTap(link: string, frames: readonly Buffer[]): Promise<void> {
  await promisify(execFile)('perl', ['-e', tapScript, link, ...hex(frames)]);
}

export interface Capture extends AsyncDisposable {
  has(link: string, sent: Buffer): boolean;
}

/** Records everything that passes these links, in both directions. */
export async function startCapture(...links: string[]): Promise<Capture> {
  const perl = await startDaemon('perl', ['-e', captureScript, ...links]);
  await perl.printed('ready\n');
  return {
    // The kernel takes VLAN tags off before it shows a frame.
    has: (link, sent) => perl.output().includes(`${link} ${sent.toString('hex').replace(/^(.{24})8100..../, '$1')}\n`),
    [Symbol.asyncDispose]: () => perl[Symbol.asyncDispose](),
  };
}
