/** The content of a gun port's QR code. */
export function qrTextOf(stationNumber: string, portNumber: number): string {
  return `${stationNumber}-${portNumber}`;
}
