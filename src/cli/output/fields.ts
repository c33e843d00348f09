// The data of an event in one line: `state on, source command`.

export function fieldText(data: object): string {
  return Object.entries(data)
    .map(([name, value]) => `${name} ${valueText(value)}`)
    .join(', ');
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return `(${value.map(valueText).join('; ')})`;
  return typeof value === 'object' && value !== null ? fieldText(value) : String(value);
}
