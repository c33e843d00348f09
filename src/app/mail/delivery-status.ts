// Reads reports about the delivery of messages (RFC 3464).

export interface DeliveryStatus {
  readonly action: string;
  /** Such as 5.1.1; empty if the report has none. */
  readonly status: string;
  /** In the words of the mail server. */
  readonly diagnostic: string;
}

/** Returns the status of each recipient. The first group of fields is about the message. */
export function parseDeliveryStatus(text: string): DeliveryStatus[] {
  const groups = text
    .replaceAll('\r\n', '\n')
    .split(/\n[ \t]*\n/)
    .map(readFields);
  return groups.flatMap((fields) => {
    const action = fields.get('action')?.toLowerCase();
    if (action === undefined) return [];
    const status = /\d\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? '';
    // The type in front of the semicolon is usually smtp.
    const diagnostic = (fields.get('diagnostic-code') ?? '').replace(/^[\w-]+;/, '').trim();
    return [{ action, status, diagnostic: diagnostic === '' ? status : diagnostic }];
  });
}

function readFields(group: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  let name: string | undefined;
  for (const line of group.split('\n')) {
    const continues = /^[ \t]/.test(line);
    const colon = line.indexOf(':');
    if (continues && name !== undefined) fields.set(name, `${fields.get(name)} ${line.trim()}`);
    else if (!continues && colon > 0) {
      name = line.slice(0, colon).trim().toLowerCase();
      fields.set(name, line.slice(colon + 1).trim());
    }
  }
  return fields;
}
