// Lines that configure addresses on a device, for the tools that Linux distributions and Windows use. They add to the
// configuration that the device has, so a default route appears only if the device has none of the family yet.
import { countText } from '#lib/count-text.ts';
import type { DeliveredBlock } from './delivery.ts';

export interface ConfigurationLines {
  readonly netplan: string;
  readonly ifupdown: string;
  readonly networkmanager: string;
  readonly networkd: string;
  readonly windows: string;
}

/** More than these would hide what the lines do. */
const maxAddresses = 32;

export function configurationLines(block: DeliveredBlock, card: string): ConfigurationLines {
  const addresses = block.addresses
    .slice(0, maxAddresses)
    .map(({ address, prefixLength }) => `${address}/${prefixLength}`);
  const gateway = block.isDefault ? block.gateway : undefined;
  const isIpv6 = block.cidr.includes(':');
  const more = block.addresses.length - addresses.length;
  const note = more === 0 ? [] : [`# Add the other ${countText(more, 'address', 'addresses')} in the same way.`];
  const text = (lines: readonly string[]): string => [...lines, ...note, ''].join('\n');
  return {
    netplan: text([
      `# In /etc/netplan, under the name that your file has for ${card}`,
      'network:',
      '  version: 2',
      '  ethernets:',
      `    ${card}:`,
      '      addresses:',
      ...addresses.map((address) => `        - ${address}`),
      ...(gateway === undefined
        ? []
        : [
            '      routes:',
            `        - to: ${isIpv6 ? '::/0' : '0.0.0.0/0'}`,
            `          via: ${gateway}`,
            '          on-link: true',
          ]),
    ]),
    ifupdown: text([
      // Not in another one: ifupdown stops at an address that two files contain, and cloud-init may add it to this one.
      `# In the file that configures ${card}: /etc/network/interfaces, or one in /etc/network/interfaces.d`,
      ...addresses.flatMap((address, index) => [
        `iface ${card} ${isIpv6 ? 'inet6' : 'inet'} static`,
        `    address ${address}`,
        ...(gateway !== undefined && index === 0
          ? [`    up ip ${isIpv6 ? '-6 ' : ''}route replace default via ${gateway} dev ${card} onlink`]
          : []),
      ]),
    ]),
    networkmanager: text([
      ...addresses.map(
        (address) => `nmcli connection modify ${card} +${isIpv6 ? 'ipv6' : 'ipv4'}.addresses ${address}`,
      ),
      ...(gateway === undefined
        ? []
        : [`nmcli connection modify ${card} ${isIpv6 ? 'ipv6' : 'ipv4'}.gateway ${gateway}`]),
      ...(isIpv6 ? [`nmcli connection modify ${card} ipv6.method manual`] : []),
      `nmcli connection up ${card}`,
    ]),
    networkd: text([
      `# In the file for ${card} in /etc/systemd/network`,
      '[Network]',
      ...addresses.map((address) => `Address=${address}`),
      ...(gateway === undefined ? [] : ['', '[Route]', `Gateway=${gateway}`, 'GatewayOnLink=yes']),
    ]),
    windows: text([
      '# In PowerShell as administrator; Get-NetAdapter lists the names',
      "$card = 'Ethernet'",
      ...block.addresses.slice(0, maxAddresses).map(({ address, prefixLength }, index) => {
        const route = gateway !== undefined && index === 0 ? ` -DefaultGateway ${gateway}` : '';
        return `New-NetIPAddress -InterfaceAlias $card -IPAddress ${address} -PrefixLength ${prefixLength}${route}`;
      }),
    ]),
  };
}
