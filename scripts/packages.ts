// The Debian packages of the real daemons and clients that suites name in needs(…), and their installation. Packages
// are installed only as root with apt-get; otherwise the suites that need them are skipped, or fail in CI.

import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { promisify } from 'node:util';
import { debianInstaller, findBinary } from '../test/support/needs.ts';

export const packagesByBinary: Record<string, string[]> = {
  initdb: ['postgresql'],
  postgres: ['postgresql'],
  pg_basebackup: ['postgresql'],
  ipmi_sim: ['openipmi'],
  ipmitool: ['ipmitool'],
  fakebmc: ['python3-pyghmi'],
  ipmipower: ['freeipmi-tools'],
  'ipmi-sel': ['freeipmi-tools'],
  'ipmi-sensors': ['freeipmi-tools'],
  'qemu-system-x86_64': ['qemu-system-x86', 'ipxe-qemu', 'ovmf'],
  swtpm: ['swtpm', 'swtpm-tools'],
  restic: ['restic'],
  sshd: ['openssh-server', 'openssh-sftp-server'],
  'ssh-keygen': ['openssh-client'],
  ssh: ['openssh-client'],
  dig: ['bind9-dnsutils'],
  'named-checkzone': ['bind9-utils'],
  pdns_server: ['pdns-server', 'pdns-backend-sqlite3'],
  snmpd: ['snmpd'],
  snmpget: ['snmp'],
  snmpset: ['snmp'],
  snmpbulkget: ['snmp'],
  snmpsimd: ['snmpsim'],
  lldpd: ['lldpd'],
  lldpcli: ['lldpd'],
  ip: ['iproute2'],
  libvirtd: ['libvirt-daemon', 'libvirt-daemon-driver-qemu'],
  virsh: ['libvirt-clients'],
  ebtables: ['ebtables', 'iptables'],
  nft: ['nftables'],
  perl: ['perl-base'],
  losetup: ['mount'],
  partx: ['util-linux'],
  parted: ['parted'],
  'qemu-img': ['qemu-utils'],
  'grub-mkimage': ['grub-common'],
  cpio: ['cpio'],
  mke2fs: ['e2fsprogs'],
  tftp: ['tftp-hpa'],
  curl: ['curl'],
  dnsmasq: ['dnsmasq-base'],
  unbound: ['unbound'],
  gobgpd: ['gobgpd'],
  gobgp: ['gobgpd'],
  zebra: ['frr'],
  bgpd: ['frr'],
  staticd: ['frr'],
  vtysh: ['frr'],
  fastnetmon: ['fastnetmon'],
  'redis-server': ['redis-server'],
  xmllint: ['libxml2-utils'],
  pdftotext: ['poppler-utils'],
  pdfdetach: ['poppler-utils'],
  openssl: ['openssl'],
  xorriso: ['xorriso'],
  'chromium-headless-shell': ['chromium-headless-shell'],
  lxd: ['lxd'],
  lxc: ['lxd-client'],
  busybox: ['busybox-static'],
  'systemd-analyze': ['systemd'],
  python3: ['python3-minimal'],
  promtool: ['prometheus'],
  faketime: ['faketime'],
  haproxy: ['haproxy'],
  pgbouncer: ['pgbouncer'],
  'systemd-cat': ['systemd'],
  pg_dump: ['postgresql-client'],
  pg_restore: ['postgresql-client'],
  zsh: ['zsh'],
  fish: ['fish'],
  script: ['bsdutils'],
  shellcheck: ['shellcheck'],
  pebble: ['pebble'],
  lego: ['lego'],
  nsupdate: ['bind9-dnsutils'],
  delv: ['bind9-dnsutils'],
  'dnssec-verify': ['bind9-utils'],
  'ldns-verify-zone': ['ldnsutils'],
  certbot: ['certbot', 'python3-certbot-dns-rfc2136'],
  nsd: ['nsd'],
  knotd: ['knot'],
  lexicon: ['lexicon'],
  postfix: ['postfix'],
  dovecot: ['dovecot-core', 'dovecot-imapd', 'dovecot-lmtpd'],
  dkimverify: ['python3-dkim'],
};

/** Peers, and programs that cause load. */
export const packagesOfBenchmarks: Record<string, string[]> = {
  wrk: ['wrk'],
  dnsperf: ['dnsperf'],
  rrdtool: ['rrdtool'],
};

/** By the program, or by the path of something else. */
export const packagesOfLongTests: Record<string, string[]> = {
  'systemd-nspawn': ['systemd-container'],
  mmdebstrap: ['mmdebstrap'],
  podman: ['podman', 'crun', 'netavark', 'iptables'],
  iptables: ['iptables'],
  patroni: ['patroni'],
  etcd: ['etcd-server'],
  'swift-ring-builder': ['swift'],
  'swift-account-server': ['swift-account'],
  'swift-container-server': ['swift-container'],
  'swift-object-server': ['swift-object'],
  'swift-proxy-server': ['swift-proxy'],
  [debianInstaller]: ['debian-installer-12-netboot-amd64'],
};

const run = promisify(execFile);

export async function installMissingPackages(packages: Record<string, string[]>): Promise<void> {
  const missing = missingPackages(packages);
  if (missing.length === 0 || process.getuid?.() !== 0 || findBinary('apt-get') === undefined) return;
  console.log(`installing ${missing.join(', ')}`);
  await withoutServices(async () => {
    await aptGet('update');
    await aptGet('install', '--yes', '--no-install-recommends', ...missing);
  });
}

function missingPackages(packages: Record<string, string[]>): string[] {
  const isInstalled = (name: string): boolean => (isAbsolute(name) ? existsSync(name) : findBinary(name) !== undefined);
  const missing = Object.keys(packages).filter((name) => !isInstalled(name));
  return [...new Set(missing.flatMap((binary) => packages[binary] ?? []))];
}

// Tests start their own daemons, so an install must neither start services nor create a database cluster on the
// developer's machine. Debian consults these two files; an existing one belongs to the administrator and is not
// changed.
async function withoutServices(install: () => Promise<void>): Promise<void> {
  const files = [
    { path: '/usr/sbin/policy-rc.d', text: '#!/bin/sh\nexit 101\n' },
    { path: '/etc/postgresql-common/createcluster.d/hostyard-tests.conf', text: 'create_main_cluster = false\n' },
  ].filter(({ path }) => !existsSync(path));
  try {
    for (const { path, text } of files) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      chmodSync(path, 0o755);
    }
    await install();
  } finally {
    for (const { path } of files) rmSync(path, { force: true });
  }
}

// Not fatal: the suites that need a missing package report it.
async function aptGet(...args: string[]): Promise<void> {
  const settings = {
    // Waits for another apt, which may run on a machine that has just started.
    'DPkg::Lock::Timeout': '300',
    // Thousands of files would each wait for the disk.
    'DPkg::Options::': '--force-unsafe-io',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '3',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['--quiet', ...options, ...args], { env, maxBuffer: Infinity }).catch(
    (error: { stdout: string; stderr: string }) =>
      console.error(`apt-get ${args.join(' ')} failed:\n${error.stdout}${error.stderr}`),
  );
}
