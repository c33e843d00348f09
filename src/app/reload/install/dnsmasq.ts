// Generates a dnsmasq configuration for network boot: firmware gets iPXE over TFTP, iPXE gets the boot server's first
// script. With `proxy`, another DHCP server assigns the addresses.

export interface DnsmasqSettings {
  /** The boot server's URL for servers. */
  readonly url: string;
  readonly tftpAddress: string;
  /** The network address, without its prefix length. */
  readonly network: string;
  readonly netmask: string;
  /** The addresses that dnsmasq assigns; undefined if another server does. */
  readonly range: { readonly first: string; readonly last: string } | undefined;
  readonly gateway: string | undefined;
  /** Servers that always get the same address. */
  readonly hosts: readonly { readonly macs: readonly string[]; readonly address: string }[];
  readonly firmware: { readonly bios: string; readonly uefi: string };
}

/** Client architectures (RFC 4578) and dnsmasq's names for them. */
const architectures = [
  { number: 0, tag: 'bios', service: 'x86PC' },
  { number: 7, tag: 'uefi', service: 'BC_EFI' },
  { number: 9, tag: 'uefi', service: 'x86-64_EFI' },
] as const;

export function dnsmasqConfiguration(settings: DnsmasqSettings): string {
  const { url, tftpAddress, network, netmask, range, gateway, hosts, firmware } = settings;
  const script = `${url}/boot/first.ipxe`;
  return [
    '# Network boot by Hostyard. TFTP must use port 69, the only one that firmware supports.',
    '# No name server.',
    'port=0',
    ...(range === undefined
      ? [`dhcp-range=${network},proxy,${netmask}`]
      : [
          `dhcp-range=${range.first},${range.last},${netmask},1h`,
          ...hosts.map(({ macs, address }) => `dhcp-host=${[...macs, address].join(',')}`),
        ]),
    ...(gateway === undefined ? [] : [`dhcp-option=option:router,${gateway}`]),
    '# iPXE sends this user class. Firmware does not, and gets iPXE.',
    'dhcp-userclass=set:ipxe,iPXE',
    ...architectures.map(({ number, tag }) => `dhcp-match=set:${tag},option:client-arch,${number}`),
    ...(range === undefined
      ? architectures.flatMap(({ tag, service }) => [
          `pxe-service=tag:!ipxe,${service},"Hostyard",${firmware[tag]},${tftpAddress}`,
          `pxe-service=tag:ipxe,${service},"Hostyard",${script}`,
        ])
      : [
          `dhcp-boot=tag:ipxe,${script}`,
          `dhcp-boot=tag:!ipxe,tag:bios,${firmware.bios},,${tftpAddress}`,
          `dhcp-boot=tag:!ipxe,tag:uefi,${firmware.uefi},,${tftpAddress}`,
        ]),
    '',
  ].join('\n');
}
