import type { forecast as zh } from '../zh-CN/forecast.ts';

export const forecast: Record<keyof typeof zh, string> = {
  'forecast.title': 'Forecast',
  'forecast.whichDay': 'Which day',
  'forecast.tomorrow': 'Tomorrow',
  'forecast.yesterday': 'Yesterday',
  'forecast.view': 'View',
  'forecast.asChart': 'Chart',
  'forecast.asTable': 'Table',
  'forecast.energy': 'Expected energy',
  'forecast.income': 'Expected receivable',
  'forecast.power': 'Expected mean power',
  'forecast.actual': 'Actual',
  'forecast.yuan': 'yuan',
  'forecast.hour': 'Hour',
  'forecast.band': 'most likely {low} to {high}',
  'forecast.powerBand': 'Power range',
  'forecast.incomeBand': 'Receivable range',
  'forecast.withBounds': '{expected} ({low} to {high})',
  'forecast.happened': 'Actual {actual}',
  'forecast.happenedBeside': 'Actual {actual}, forecast off by {error}',
  'forecast.chartLabel':
    'Expected mean power and receivable by hour, with their range shaded; the table has the same figures',
  'forecast.holiday': 'public holiday',
  'forecast.worked': 'worked weekend',
  'forecast.tooLittle': 'Too little history for a forecast',
  'forecast.noHistory': 'No charge ended in the last three months. A forecast needs about five weeks of charges.',
  'forecast.since': 'Charges are known since {day}. A forecast needs about five weeks, until around {ready}.',
  'forecast.noCalendar': 'The public holidays of {year} are not in the calendar: the day is forecast by its weekday.',
  'forecast.howMade': 'How the forecast is made',
  'forecast.method':
    'The median of the same hour on the same weekday over the last eight weeks, times how the last 14 days compare with the weeks before (within half and double). The whole day is forecast in the same way from whole days, so it need not equal the sum of its hours.',
  'forecast.methodBand':
    'The range comes from the errors that the same method would have made over the last four weeks: about four of five days lie within it. Yesterday’s forecast uses only what was known when it could have been made, up to the day before the day before.',
  'forecast.methodHolidays':
    'Public holidays are forecast from past holidays and Sundays, weekends that are worked from weekdays; the dates are those announced by the General Office of the State Council.',
  'forecast.methodHours':
    'A charge counts in the hour in which it ended, and the mean power is the energy of the charges that ended in the hour, divided by one hour. Receivable is both fees less discounts. The forecast is for information; no settlement uses it.',
};
