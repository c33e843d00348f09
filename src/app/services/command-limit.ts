// How long a device is waited for: one that does not answer is given up in time for an answer within ten seconds.
export const commandMs = 8000;

export function commandLimit(): AbortSignal {
  return AbortSignal.timeout(commandMs);
}
