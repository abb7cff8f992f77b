-- Records are found by any part of their number or name. The pieces of a text are an index of their own: the database
-- sorts by bytes and has no other way to find Chinese names by their middle (pg_trgm leaves out what is not ASCII).
create function text_pieces(value text, piece_length integer) returns text[]
  language sql immutable strict parallel safe
  return (select coalesce(array_agg(distinct substr(lower(value), place, piece_length)), '{}')
            from generate_series(1, char_length(value) - piece_length + 1) as place);

create index stations_number_pieces on stations using gin (text_pieces(number, 3));
create index stations_name_pieces on stations using gin (text_pieces(name, 2));
create index connectors_name_pieces on connectors using gin (text_pieces(name, 2));
create index customers_phone_pieces on customers using gin (text_pieces(phone, 3));
create index customers_nickname_pieces on customers using gin (text_pieces(nickname, 2));
create index cards_number_pieces on cards using gin (text_pieces(number, 3));
create index cards_physical_number_pieces on cards using gin (text_pieces(physical_number, 3));

-- The end of an order's number is what people read out. Pieces of ten million numbers would cost every new order more
-- than they tell: the first fourteen digits are its time, which half of all orders share in part.
create index orders_number_end on orders (reverse(number));
