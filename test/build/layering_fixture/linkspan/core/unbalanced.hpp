struct half {
    int member;
