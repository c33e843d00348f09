// A QR code as one SVG path: sharp at any size, and dark on light in both colour schemes, as scanners expect.
import type { JSX } from 'react';
import { encode } from 'uqr';

/** ISO/IEC 18004 requires a margin of four modules. */
const border = 4;

export function QrCode({ text, label }: { text: string; label: string }): JSX.Element {
  const { data, size } = encode(text, { ecc: 'M', border });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={220}
      height={220}
      shapeRendering="crispEdges"
      style={{ background: '#fff', borderRadius: 8 }}
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
