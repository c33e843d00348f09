// A QR code as a drawing: one path, sharp at any size, dark on light in both colour schemes, as scanners want it.
import type { JSX } from 'react';
import { qrOf } from './qr.ts';

/** Four modules of light around, as the standard asks for. */
const quiet = 4;

export function QrCode({ text, label }: { text: string; label: string }): JSX.Element | null {
  const modules = qrOf(text);
  if (modules === undefined) return null;
  const size = modules.length + 2 * quiet;
  const path = modules
    .flatMap((row, down) => row.map((isDark, right) => (isDark ? `M${right + quiet} ${down + quiet}h1v1h-1z` : '')))
    .join('');
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
