// The icons of the panel, on a 24-pixel grid. They are hidden from screen readers, because a text or label is always
// next to them.
import type { JSX } from 'react';

const paths = {
  overview: 'M4 4h7v7H4zM13 4h7v4h-7zM13 10h7v10h-7zM4 13h7v7H4z',
  server: 'M4 5h16v5H4zM4 14h16v5H4zM7.5 7.5h.01M7.5 16.5h.01',
  dns: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  shield: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6z',
  invoice: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  card: 'M3 6h18v12H3zM3 10h18M6.5 14.5h3',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-3.5 3-6 6.5-6s6.5 2.5 6.5 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .8 3.5 2.7 3.5 5.5',
  key: 'M8 15a4 4 0 1 1 3.5-5.9L21 9v3h-2v3h-3v-3h-4.5A4 4 0 0 1 8 15zM8 11h.01',
  webhook: 'M9 8a3 3 0 1 1 4.8 2.4l2.7 5M6.5 20a3 3 0 1 1 2-5.2H16M17.5 14a3 3 0 1 1-2.7 4.4',
  audit: 'M5 4h14v16H5zM8.5 8h7M8.5 12h7M8.5 16h4',
  plan: 'M7 5H5v16h14V5h-2M9 3h6v4H9zM8.5 14l2.5 2.5 4.5-5',
  licence:
    'M12 3l2.5 2 3.2-.2.8 3.1 2.5 2-1.3 3 .3 3.2-3.1.8-2 2.5-2.9-1.3-2.9 1.3-2-2.5-3.1-.8.3-3.2-1.3-3 2.5-2 .8-3.1 3.2.2zM9 12l2 2 4-4',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20c0-4 3.5-6.5 8-6.5s8 2.5 8 6.5',
  rack: 'M5 3h14v18H5zM8 7h8M8 11h8M8 15h8',
  node: 'M6 6h12v12H6zM9.5 9.5h5v5h-5zM9 6V3M15 6V3M9 21v-3M15 21v-3M6 9H3M6 15H3M21 9h-3M21 15h-3',
  network: 'M9 3h6v5H9zM3 16h6v5H3zM15 16h6v5h-6zM12 8v4M6 16v-4h12v4',
  book: 'M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11',
  work: 'M4 12h4l2-7 4 14 2-7h4',
  request: 'M4 5h16v11H9l-5 4z',
  address: 'M12 21s7-6.5 7-11.5A7 7 0 0 0 5 9.5C5 14.5 12 21 12 21zM12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  mail: 'M3 5h18v14H3zM3 6l9 7 9-7',
  money: 'M3 6h18v12H3zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6.5 12h.01M17.5 12h.01',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.5 1.5M17.5 17.5L19 19M19 5l-1.5 1.5M6.5 17.5L5 19',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  out: 'M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9',
  power: 'M12 3v9M6.5 6.5a8 8 0 1 0 11 0',
  console: 'M4 5h16v14H4zM7.5 9.5l3 2.5-3 2.5M12.5 15h4',
  disc: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  refresh: 'M20 11a8 8 0 1 0-2.3 6M20 5v6h-6',
  plus: 'M12 5v14M5 12h14',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  forward: 'M9 5l7 7-7 7',
  check: 'M5 12.5l4.5 4.5L19 7',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  graph: 'M4 4v16h16M7.5 15l3.5-4 3 2.5L20 7',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M8 8h11v12H8zM5 16V4h11',
  wrench: 'M20 6a5 5 0 0 1-6.5 6.3L7 19a2 2 0 0 1-3-3l6.7-6.5A5 5 0 0 1 17 4l-3 3 2 2 4-3z',
  upload: 'M12 16V5M7 9l5-5 5 5M5 20h14',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }): JSX.Element {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
