// The built-in catalogue: the image names, network-boot ids and licence names of the legacy specification. A site file
// can add to it but not remove anything, so that scripts with these names keep working.
const bothArchitectures = (family: string, versions: readonly string[]): string[] =>
  versions.flatMap((version) => [`${family}_${version}_x86.iso`, `${family}_${version}_x86_64.iso`]);

export const isoNames: readonly string[] = [
  'OS-A_5.10_i386_bin-1of8.iso',
  'OS-A_5.10_x86_64_bin-1of9.iso',
  'OS-A_6.5_i386_minimal.iso',
  'OS-A_6.5_x86_64_minimal.iso',
  ...bothArchitectures('OS-B', ['5.0.9', '6.0.7', '7.0.0']),
  'OS-C_5.1.0_x86_64.iso',
  ...bothArchitectures('OS-D', ['16', '17', '18']),
  'OS-E_9.1.0_x86_64.iso',
  'OS-E_9.1.1_x86_64.iso',
  'OS-F526.iso',
  'OS-F527.iso',
  ...bothArchitectures('OS-G', ['10.04.4', '11.10', '12.04.2', '12.10', '13.04', '13.10']),
  'OS-H-5.6.0-install-cd.iso',
  'OS-H-5.6.100-SP2-install-cd.iso',
  'OS-H-6.0.0-install-cd.iso',
  'OS-H-6.0.201-install-cd.iso',
  'OS-H-6.1-install-cd.iso',
  'OS-H-6.2.0-install-cd.iso',
];

export const pxeImages: readonly { readonly id: number; readonly label: string }[] = [
  { id: 150, label: 'OS-A 5, 32-bit' },
  { id: 149, label: 'OS-A 5, 64-bit' },
  { id: 72, label: 'OS-A 6, 32-bit' },
  { id: 71, label: 'OS-A 6, 64-bit' },
  { id: 86, label: 'OS-B 5, 32-bit' },
  { id: 85, label: 'OS-B 5, 64-bit' },
  { id: 52, label: 'OS-B 6, 32-bit' },
  { id: 55, label: 'OS-B 6, 64-bit' },
  { id: 76, label: 'OS-I 2.0, 64-bit' },
  { id: 473, label: 'OS-I 3.0, 64-bit' },
  { id: 46, label: 'OS-J 6, 64-bit' },
  { id: 12, label: 'Rescue system, 32-bit' },
  { id: 11, label: 'Rescue system, 64-bit' },
  { id: 3, label: 'OS-G 10.04, 32-bit' },
  { id: 2, label: 'OS-G 10.04, 64-bit' },
  { id: 64, label: 'OS-G 11.10, 32-bit' },
  { id: 68, label: 'OS-G 11.10, 64-bit' },
  { id: 80, label: 'OS-G 12.04, 32-bit' },
  { id: 79, label: 'OS-G 12.04, 64-bit' },
  { id: 82, label: 'OS-G 12.10, 32-bit' },
  { id: 81, label: 'OS-G 12.10, 64-bit' },
  { id: 224, label: 'OS-G 13.04, 32-bit' },
  { id: 223, label: 'OS-G 13.04, 64-bit' },
  { id: 25, label: 'Boot disc, 32-bit' },
  { id: 24, label: 'Boot disc, 64-bit' },
  { id: 61, label: 'OS-C hypervisor' },
  { id: 23, label: 'OS-H 5.6' },
  { id: 487, label: 'OS-H 6.2' },
];

const licencePrefixes = ['DEDICATED', 'VPS'] as const;
const licenceProducts = [
  'PANEL1',
  'PANEL2',
  'PANEL3',
  'PANEL4_10',
  'PANEL4_100',
  'PANEL4_UNLIMITED',
  'PANEL4_10_POWERPACK',
  'PANEL4_100_POWERPACK',
  'PANEL4_UNLIMITED_POWERPACK',
] as const;
export const licenceNames: readonly string[] = licencePrefixes.flatMap((prefix) =>
  licenceProducts.map((product) => `${prefix}_${product}`),
);
