// How long an old secret works beside its successor, in seconds.
export const overlaps = [
  { value: '0', label: 'Not at all: it ends now' },
  { value: '3600', label: 'An hour' },
  { value: '86400', label: 'A day' },
  { value: '604800', label: 'A week' },
];
