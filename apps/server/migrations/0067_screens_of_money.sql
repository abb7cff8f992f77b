-- Screens that came with what a position may read already: whoever reads recharges reads transfers and gifts, and whoever
-- reads cards reads their use. The books have left the screen of finance.
update positions set menu_codes = menu_codes || array['transferList', 'giftList']
 where 'chongzhiRecods' = any (menu_codes) and not 'transferList' = any (menu_codes);
update positions set menu_codes = array_append(menu_codes, 'useRecods')
 where 'cardList' = any (menu_codes) and not 'useRecods' = any (menu_codes);
update positions set menu_codes = array_remove(menu_codes, 'financeList')
 where 'ledgerList' = any (menu_codes);
