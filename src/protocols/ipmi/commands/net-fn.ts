// Network functions: the groups that IPMI commands belong to.
export const netFn = { chassis: 0x00, sensor: 0x04, app: 0x06, storage: 0x0a, transport: 0x0c } as const;
