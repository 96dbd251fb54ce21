CREATE TABLE sales(day TEXT, city TEXT, product TEXT, amount REAL);
INSERT INTO sales VALUES
    ('2026-01-05', 'Oslo', 'lamp', 120.50),
    ('2026-01-05', 'Paris', 'chair', 310.00),
    ('2026-01-06', 'Paris', 'lamp', 99.90),
    ('2026-01-06', 'Rome', 'table', 540.00),
    ('2026-01-07', 'Oslo', 'table', 480.25),
    ('2026-01-07', 'Rome', 'chair', 150.00);
