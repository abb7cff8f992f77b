export const labels = {
  'stations.qrSheetIntro':
    'Makes a PDF to print, with the codes as vectors. Print it at actual size (100%), not fitted to the page.',
  'stations.qrFormat': 'Labels',
  'stations.qrFormat.a4-3x8': 'A4, 3×8 a page (70×37 mm)',
  'stations.qrFormat.a4-2x5': 'A4, 2×5 a page (97×55 mm)',
  'stations.qrFormat.50x70': 'Label roll 50×70 mm',
  'stations.qrFormat.40x60': 'Label roll 40×60 mm',
  'stations.qrSheetCount': '{count} on {pages} {pages|page|pages}',
  'stations.qrSheetMore': 'At most {max} on one sheet. Use the filter to make the rest in parts.',
  'stations.qrPrint': 'Download PDF',
  'stations.qrSheetTitle': 'QR code labels',
  'stations.qrSheetRunning': 'Making the labels…',
  'stations.qrSheetDone': '{count} {count|label|labels} made',
  'stations.qrSheetFailed': 'The labels were not made',
  'stations.qrSheetCancelled': 'Cancelled; no labels were made',
  'stations.qrSheetLater':
    'You can close this window: the work goes on in the background, and the task centre has the file when it is done.',
  'stations.qrSheetCancel': 'Cancel',
};
