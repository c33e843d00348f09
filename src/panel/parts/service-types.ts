// Labels of the service types.
export const serviceTypeLabels = { dedicated: 'Dedicated', vps: 'VPS', cloud: 'Cloud' } as const;
